import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchOwner, BatchSums, ImportFile, NewBatch } from './files.types.ts';
import { findBatch, isWithdrawn } from './import.store.ts';
import type { WeighedFile } from './weigh-file.ts';

/** The batches of a file, by what becomes of them. */
interface Sorted {
  /** Sound and new. */
  readonly sound: readonly NewBatch[];
  /** There before, with the same lines. */
  readonly known: readonly BatchSums[];
  readonly refused: readonly { readonly sums: BatchSums; readonly reason: string }[];
}

/** A file that was weighed, and who wants it. */
export type Sorting = Pick<ImportFile, 'acquirer' | 'takesWithdrawn' | 'sent'> & { readonly weighed: WeighedFile };

/** Tells the batches of a file that are taken from those that are not. It changes nothing. */
export async function sortBatches(
  transaction: Transaction,
  { hosts, newId }: SettlementContext,
  { acquirer, weighed, takesWithdrawn, sent }: Sorting,
): Promise<Sorted> {
  const sound: NewBatch[] = [];
  const known: BatchSums[] = [];
  const refused: Sorted['refused'][number][] = [];
  for (const sums of weighed.batches) {
    const refuse = (reason: string) => refused.push({ sums, reason });
    const owner =
      sums.fault === undefined
        ? ownerOf(sums, (id) => hosts.withMerchantId(acquirer.id, id), sent?.payeeId)
        : sums.fault;
    if (typeof owner === 'string') {
      refuse(owner);
      continue;
    }
    const batch = { ...sums, ...owner, acquirer: acquirer.id, batchId: newId() };
    const before = await findBatch(transaction, batch);
    const reason = before === undefined ? await whyNot(transaction, batch, takesWithdrawn) : ANOTHER;
    if (before?.equals(sums.digest)) known.push(sums);
    else if (reason === undefined) sound.push(batch);
    else refuse(reason);
  }
  return { sound, known, refused };
}

const ANOTHER = 'another batch of this name was imported: withdraw that one first if it is wrong';

/** A batch that was withdrawn stays so when its file is read again, unless a person wants it. */
async function whyNot(
  transaction: Transaction,
  batch: NewBatch,
  takesWithdrawn: boolean | undefined,
): Promise<string | undefined> {
  if (takesWithdrawn || !(await isWithdrawn(transaction, batch))) return undefined;
  return 'this very batch was withdrawn: import the right file, or say --again';
}

const NOBODYS = 'its Payout names no merchant number of an agreement';

/** Whom a batch pays; in words why that is no payee, or more than one. A payee's person learns nothing of what others have. */
function ownerOf(
  { paid, currency }: BatchSums,
  withMerchantId: (
    merchantId: string,
  ) => readonly { readonly payeeId: PayeeId; readonly id: string; readonly currencies: readonly string[] }[],
  only: PayeeId | undefined,
): BatchOwner | string {
  const agreements = [...paid].flatMap((merchantId) => withMerchantId(merchantId));
  const [first] = agreements;
  if (first === undefined) return NOBODYS;
  if (only !== undefined && agreements.some(({ payeeId }) => payeeId !== only)) return NOBODYS;
  if (agreements.some(({ payeeId }) => payeeId !== first.payeeId)) return 'its Payouts are for several payees';
  const { payeeId, id } = agreements.find(({ currencies }) => currencies.includes(currency)) ?? first;
  return { payeeId, agreement: id };
}
