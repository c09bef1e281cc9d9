import type { Transact } from '../../db/transaction.types.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { ImportedFile, ImportFile } from './files.types.ts';
import { importWeighed } from './import-weighed.ts';
import { type ReadingFile, weighFile } from './weigh-file.ts';

/**
 * Imports a settlement file: reads it once to weigh its batches, then again to store those that are sound, all in one
 * transaction. A batch that is not sound is refused whole. The same file, or batch, again changes nothing.
 *
 * @throws Trouble where the file cannot be read as one
 */
export async function importFile(
  transact: Transact,
  context: SettlementContext,
  given: ImportFile,
): Promise<ImportedFile> {
  const { acquirer, file } = given;
  const isMerchantId = (digits: string) => context.hosts.withMerchantId(acquirer.id, digits).length > 0;
  const reading: ReadingFile = { file, form: acquirer.settlementFile, isMerchantId };
  const weighed = await weighFile(reading);
  return transact((transaction) => importWeighed(transaction, context, { ...given, reading, weighed }));
}
