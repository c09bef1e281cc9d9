import type { Command } from 'commander';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { ImportFiles, ImportSummary } from '../kit/import.types.ts';
import { importLines } from '../kit/import-lines.ts';
import type { TokensRuntime, TokensService } from './import/import.types.ts';
import { importTokens } from './import/import-tokens.ts';

/** Lines of an import file that are written in one transaction. */
const IMPORT_BATCH_LINES = 500;

/** Adds `tokens import`. */
export function tokenCommands(program: Command, runtime: TokensRuntime): void {
  program
    .command('tokens')
    .description("payers' stored cards and accounts")
    .command('import')
    .description('take over the tokens of another provider; running the same file again imports nothing twice')
    .argument('<file>', 'newline-delimited JSON, one token a line; refused lines go to <file>.rejected')
    .option('--payee <id>', 'whose they become; may be left out while there is one payee')
    .option('--json', 'print {"lines", "imported", "unchanged", "rejected"}')
    .action(async (path: string, options: { payee?: string; json?: true }) => {
      const files = await runtime.openImport(path);
      try {
        const summary = await runtime.withService(async (service) => {
          const payeeId = await service.whichPayee(options.payee);
          return runImport({ service, files, payeeId, progress: runtime.progress });
        });
        runtime.print(options.json ? JSON.stringify(summary) : describe(summary, path));
      } finally {
        await files.close();
      }
    });
}

function describe({ lines, imported, unchanged, rejected }: ImportSummary, path: string): string {
  const counts = `${lines} lines: ${imported} imported, ${unchanged} unchanged, ${rejected} refused.`;
  return rejected === 0 ? counts : `${counts}\nThe refused lines and the reasons are in ${path}.rejected.`;
}

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
