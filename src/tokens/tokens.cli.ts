import { COMMAND_LINE } from '../kit/caller.ts';
import { type Command, command, flag, needed, payeeOption } from '../kit/command.ts';
import type { PayeeId } from '../kit/ids.ts';
import {
  ALLOW_REFUSED,
  describeLeft,
  describeRefused,
  IMPORT_FORMAT,
  refuseRefused,
} from '../kit/imports/after-import.ts';
import type { ImportFiles, ImportFormat, ImportSummary } from '../kit/imports/import.types.ts';
import { importLines } from '../kit/imports/import-lines.ts';
import type { TokensRuntime, TokensService } from './import/import.types.ts';
import { importTokens } from './import/import-tokens.ts';
import { updateTokens } from './import/update-tokens.ts';

/** Lines of an import file that are written in one transaction. */
const IMPORT_BATCH_LINES = 500;

const importFile = command({
  name: 'import',
  about: 'take over the tokens of another provider; running the same file again imports nothing twice',
  args: ['file'],
  takes: {
    file: needed('<file>', 'one token a line, as JSON or CSV; refused lines go to <file>.rejected'),
    format: IMPORT_FORMAT,
    payee: payeeOption('whose they become'),
    update: flag('a line with the GUID of a token that is there gives it a new pan, expiryDate, or both'),
    allowRefused: ALLOW_REFUSED,
  },
  json: 'print {"lines", "imported", "unchanged", "rejected"}; with --update "updated" too',
  run: async ({ withService, openImport, progress }: TokensRuntime, { file: path, format, payee, update }) => {
    const files = await openImport(path);
    try {
      const summary = await withService(async (service) => {
        const payeeId = await service.whichPayee(payee);
        const run = { service, files, format: format ?? files.format, payeeId, progress };
        if (!update) return runImport(run);
        const { updated = 0, ...counts } = await runUpdate(run);
        return { ...counts, updated };
      });
      return { summary, described: describe(summary, path, files) };
    } finally {
      await files.close();
    }
  },
  asJson: ({ summary }) => summary,
  show: ({ described }) => described,
  judge: ({ summary }, { allowRefused, file }) => {
    if (!allowRefused) refuseRefused(summary, file);
  },
});

/** `tokens …`. */
export const tokenCommands: readonly Command<TokensRuntime>[] = [importFile];

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
      service.context.database.transact((transaction) =>
        importTokens(transaction, service.context, { payeeId, lines, actor: COMMAND_LINE, before }),
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
      service.context.database.transact((transaction) =>
        updateTokens(transaction, service.context, { payeeId, lines, actor: COMMAND_LINE, before }),
      ),
    progress,
  });
}
