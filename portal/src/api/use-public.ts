import { useQuery } from '@tanstack/react-query';
import { useSession } from '../app/session.tsx';
import { request } from './public-api.ts';

/**
 * Reads from the public API, with the session's credentials. Undefined: not yet.
 *
 * @param owner whose object it is, where that is not the payee whose screens are shown
 * @param again milliseconds until it is read again while the screen is looked at; false: not by itself
 */
export function usePublic<Answer>(
  href: string | undefined,
  { owner, again = () => false }: { owner?: string; again?: (answer: Answer) => number | false } = {},
) {
  const { payeeId: chosen } = useSession();
  const payeeId = owner ?? chosen;
  return useQuery({
    queryKey: ['public', payeeId, href],
    queryFn: () => request<Answer>({ payeeId, method: 'GET', href: href ?? '' }),
    enabled: href !== undefined,
    refetchInterval: ({ state: { data } }) => data !== undefined && again(data),
  });
}
