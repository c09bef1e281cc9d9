import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchFaultCode, BatchOwner, BatchSums, FileFault, ImportFile, NewBatch } from './files.types.ts';
import { findBatch, isWithdrawn } from './import.store.ts';
import type { WeighedFile } from './weigh-file.ts';

/** The batches of a file, by what becomes of them. */
export interface Sorted {
  /** Sound and new. */
  readonly sound: readonly NewBatch[];
  /** There before, with the same lines. */
  readonly known: readonly BatchSums[];
  readonly refused: readonly { readonly sums: BatchSums; readonly reason: FileFault }[];
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
    const refuse = (reason: FileFault) => refused.push({ sums, reason });
    if (sums.fault !== undefined) {
      refuse(sums.fault);
      continue;
    }
    const owner = ownerOf(sums, (id) => hosts.withMerchantId(acquirer.id, id), sent?.payeeId);
    if (typeof owner === 'string') {
      refuse({ code: owner });
      continue;
    }
    const batch = { ...sums, ...owner, acquirer: acquirer.id, batchId: newId() };
    const before = await findBatch(transaction, batch);
    const reason = before === undefined ? await whyNot(transaction, batch, takesWithdrawn) : 'anotherBatch';
    if (before?.equals(sums.digest)) known.push(sums);
    else if (reason === undefined) sound.push(batch);
    else refuse({ code: reason });
  }
  return { sound, known, refused };
}

/** A batch that was withdrawn stays so when its file is read again, unless a person wants it. */
async function whyNot(
  transaction: Transaction,
  batch: NewBatch,
  takesWithdrawn: boolean | undefined,
): Promise<BatchFaultCode | undefined> {
  if (takesWithdrawn || !(await isWithdrawn(transaction, batch))) return undefined;
  return 'wasWithdrawn';
}

/** Whom a batch pays; why that is no payee, or more than one. A payee's person learns nothing of what others have. */
function ownerOf(
  { paid, currency }: BatchSums,
  withMerchantId: (
    merchantId: string,
  ) => readonly { readonly payeeId: PayeeId; readonly id: string; readonly currencies: readonly string[] }[],
  only: PayeeId | undefined,
): BatchOwner | BatchFaultCode {
  const agreements = [...paid].flatMap((merchantId) => withMerchantId(merchantId));
  const [first] = agreements;
  if (first === undefined) return 'noAgreement';
  if (only !== undefined && agreements.some(({ payeeId }) => payeeId !== only)) return 'noAgreement';
  if (agreements.some(({ payeeId }) => payeeId !== first.payeeId)) return 'severalPayees';
  const { payeeId, id } = agreements.find(({ currencies }) => currencies.includes(currency)) ?? first;
  return { payeeId, agreement: id };
}
