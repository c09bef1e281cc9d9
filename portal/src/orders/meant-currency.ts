import { searchPayments } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useWords } from '../words/words.tsx';

/** The currency that amounts of a setting are shown in: that of the payee's newest payment. Undefined until it is known. */
export function useMeantCurrency(payeeId: string): string | undefined {
  const { ownCurrency } = useWords();
  const newest = { payeeId, query: { limit: '1' } };
  const { data, isPending } = useRead(searchPayments, newest, { staleTime: Number.POSITIVE_INFINITY });
  return isPending ? undefined : (data?.payments[0]?.currency ?? ownCurrency);
}
