import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { describeLeft, describeRefused, refuseRefused } from '../kit/imports/after-import.ts';
import type { ImportFiles, ImportFormat, ImportSummary } from '../kit/imports/import.types.ts';
import { importLines } from '../kit/imports/import-lines.ts';
import type { TokensRuntime, TokensService } from './import/import.types.ts';
import { importTokens } from './import/import-tokens.ts';
import { updateTokens } from './import/update-tokens.ts';

/** Lines of an import file that are written in one transaction. */
const IMPORT_BATCH_LINES = 500;

interface Options {
  readonly format?: ImportFormat;
  readonly payee?: string;
  readonly json?: true;
  readonly allowRefused?: true;
  readonly update?: true;
}

/** Adds `tokens import`. */
export function tokenCommands(program: Command, runtime: TokensRuntime): void {
  program
    .command('tokens')
    .description("payers' stored cards and accounts")
    .command('import')
    .description('take over the tokens of another provider; running the same file again imports nothing twice')
    .argument('<file>', 'one token a line, as JSON or CSV; refused lines go to <file>.rejected')
    .addOption(
      new Option('--format <format>', 'how they are written (default: by the name of the file)').choices([
        'ndjson',
        'csv',
      ]),
    )
    .option('--payee <id>', 'whose they become; may be left out while there is one payee')
    .option('--update', 'a line with the GUID of a token that is there gives it a new pan, expiryDate, or both')
    .option('--allow-refused', 'end with status 0 though lines were refused')
    .option('--json', 'print {"lines", "imported", "unchanged", "rejected"}; with --update "updated" too')
    .action(async (path: string, options: Options) => {
      const files = await runtime.openImport(path);
      try {
        const summary = await runtime.withService(async (service) => {
          const payeeId = await service.whichPayee(options.payee);
          const format = options.format ?? files.format;
          const run = { service, files, format, payeeId, progress: runtime.progress };
          if (!options.update) return runImport(run);
          const { updated = 0, ...counts } = await runUpdate(run);
          return { ...counts, updated };
        });
        runtime.print(options.json ? JSON.stringify(summary) : describe(summary, path, files));
        if (!options.allowRefused) refuseRefused(summary, path);
      } finally {
        await files.close();
      }
    });
}

function describe(
  { lines, imported, updated, unchanged, rejected }: ImportSummary,
  path: string,
  files: ImportFiles,
): string {
  const renewed = updated === undefined ? '' : ` ${updated} updated,`;
  return [
    `${lines} lines: ${imported} imported,${renewed} ${unchanged} unchanged, ${rejected} refused.`,
    ...(rejected === 0 ? [] : [describeRefused(path)]),
    describeLeft(files, path),
  ].join('\n');
}

interface RunImport {
  readonly service: TokensService;
  readonly files: ImportFiles;
  readonly format: ImportFormat;
  readonly payeeId: PayeeId;
  readonly progress: (text: string | undefined) => void;
}

/** Imports a whole file of tokens; see `importLines`. */
function runImport({ service, files, format, payeeId, progress }: RunImport): Promise<ImportSummary> {
  return importLines({
    files,
    format,
    reader: service.reader,
    batchLines: IMPORT_BATCH_LINES,
    write: (lines, before) =>
      service.transact((transaction) =>
        importTokens(transaction, service.importContext, { payeeId, lines, actor: COMMAND_LINE, before }),
      ),
    progress,
  });
}

/** The same, where lines may also renew tokens that are there. */
function runUpdate({ service, files, format, payeeId, progress }: RunImport): Promise<ImportSummary> {
  return importLines({
    files,
    format,
    reader: service.updateReader,
    batchLines: IMPORT_BATCH_LINES,
    write: (lines, before) =>
      service.transact((transaction) =>
        updateTokens(transaction, service.importContext, { payeeId, lines, actor: COMMAND_LINE, before }),
      ),
    progress,
  });
}
