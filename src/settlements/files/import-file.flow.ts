import type { Transact } from '../../db/transaction.types.ts';
import { inputError } from '../../kit/errors.ts';
import { collectAnswers } from '../days/collect-answers.flow.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { ImportedFile, ImportFile, PreviewedFile } from './files.types.ts';
import { importWeighed } from './import-weighed.ts';
import { previewWeighed } from './preview-weighed.ts';
import { type ReadingFile, type WeighedFile, weighFile } from './weigh-file.ts';

/**
 * Imports a settlement file: reads it once to weigh its batches, then again to store those that are sound, all in one
 * transaction. A batch that is not sound is refused whole. The same file, or batch, again changes nothing.
 *
 * @throws RefusedFile where the file cannot be read as one
 * @throws Refusal `inputerror` where it is not the one that the person has looked at
 */
export async function importFile(
  transact: Transact,
  context: SettlementContext,
  given: ImportFile,
): Promise<ImportedFile> {
  const { reading, weighed } = await weigh(context, given);
  const looked = given.sent?.digest;
  if (looked !== undefined && looked !== weighed.digest.toString('hex')) {
    throw inputError('digest', 'is not that of this file: it has changed since it was looked at. Look at it again');
  }
  // Before it, in portions: what is left of it lengthens the one transaction.
  await collectAnswers(transact, context, given.acquirer);
  return transact((transaction) => importWeighed(transaction, context, { ...given, reading, weighed }));
}

/**
 * Says what an import of a file would take, match and refuse: the same work, which is rolled back.
 *
 * @throws RefusedFile where the file cannot be read as one
 */
export async function previewFile(
  transact: Transact,
  context: SettlementContext,
  given: ImportFile,
): Promise<PreviewedFile> {
  const { reading, weighed } = await weigh(context, given);
  try {
    return await transact(async (transaction) => {
      throw new Looked(await previewWeighed(transaction, context, { ...given, reading, weighed }));
    });
  } catch (error) {
    if (error instanceof Looked) return error.found;
    throw error;
  }
}

/** Ends a transaction whose work is not to stay, with what was seen in it. */
class Looked extends Error {
  override readonly name = 'Looked';
  readonly found: PreviewedFile;

  constructor(found: PreviewedFile) {
    super('nothing of this stays');
    this.found = found;
  }
}

async function weigh(
  { hosts }: SettlementContext,
  { acquirer, file, sent }: Pick<ImportFile, 'acquirer' | 'file' | 'sent'>,
): Promise<{ readonly reading: ReadingFile; readonly weighed: WeighedFile }> {
  const isMerchantId = (digits: string) => hosts.withMerchantId(acquirer.id, digits).length > 0;
  const reading = { file, form: acquirer.settlementFile, isMerchantId, mostBatches: sent?.mostBatches };
  return { reading, weighed: await weighFile(reading) };
}
