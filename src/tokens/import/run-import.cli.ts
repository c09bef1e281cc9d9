import { COMMAND_LINE } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { ImportFiles, ImportSummary } from '../../kit/import.types.ts';
import { importLines } from '../../kit/import-lines.ts';
import { IMPORT_BATCH_LINES } from '../../kit/limits.ts';
import type { TokensService } from './import.types.ts';
import { importTokens } from './import-tokens.ts';

interface RunImport {
  readonly service: TokensService;
  readonly files: ImportFiles;
  readonly payeeId: PayeeId;
  readonly progress: (text: string | undefined) => void;
}

/** Imports a whole file of tokens; see `importLines`. */
export function runImport({ service, files, payeeId, progress }: RunImport): Promise<ImportSummary> {
  return importLines({
    files,
    batchLines: IMPORT_BATCH_LINES,
    read: service.readLine,
    write: (lines, before) =>
      service.transact((transaction) =>
        importTokens(transaction, service.importContext, { payeeId, lines, actor: COMMAND_LINE, before }),
      ),
    progress,
  });
}
