import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, command, type Given, needed, optional, payeeOption } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import {
  ALLOW_REFUSED,
  describeLeft,
  describeRefused,
  IMPORT_FORMAT,
  refuseRefused,
} from '../../kit/imports/after-import.ts';
import type { FileStamp, ImportFiles } from '../../kit/imports/import.types.ts';
import { importLines } from '../../kit/imports/import-lines.ts';
import { GIFT_CARD_BATCH } from '../../kit/limits.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { addTallies, reconcile } from '../cards/many/tallies.ts';
import type { ProductId } from '../gift-cards.types.ts';
import type {
  CardImportRuntime,
  CardImportService,
  CardImportSummary,
  ImportCards,
  ImportedCards,
  Tally,
} from './import.types.ts';
import { importCards } from './import-cards.ts';

const TAKES = {
  file: needed('<file>', 'one card a line, as JSON or CSV; refused lines go to <file>.rejected'),
  product: optional('<id>', 'what lines are that name none (default: the default product)'),
  format: IMPORT_FORMAT,
  payee: payeeOption('whose they become'),
  allowRefused: ALLOW_REFUSED,
};

type Options = Given<typeof TAKES>;

const importFile = command({
  name: 'import',
  about: 'take over the cards of another programme; running the same file again imports nothing twice',
  args: ['file'],
  takes: TAKES,
  json: 'print {"lines", "imported", "unchanged", "rejected", "reconciliation"}',
  run: async (runtime: CardImportRuntime, options) => {
    const { file: path } = options;
    const files = await runtime.openImport(path);
    try {
      const file = await runtime.stampFile(path);
      const summary = await runtime.withService((service) => run(runtime, service, { files, file, options }));
      await refuseChanged(runtime, path, file);
      return { summary, described: describe(summary, path, files) };
    } finally {
      await files.close();
    }
  },
  asJson: ({ summary }) => summary,
  show: ({ described }) => described,
  judge: ({ summary }, { allowRefused, file }) => {
    refuseDifference(summary);
    if (!allowRefused) refuseRefused(summary, file);
  },
});

/** That of `gift-cards …` that takes cards over. */
export const cardImportCommands: readonly Command<CardImportRuntime>[] = [importFile];

async function run(
  { progress }: CardImportRuntime,
  service: CardImportService,
  given: { readonly files: ImportFiles; readonly file: FileStamp | undefined; readonly options: Options },
): Promise<CardImportSummary> {
  const { files, file: stamp, options } = given;
  const payeeId: PayeeId = await service.whichPayee(options.payee);
  const productId = options.product as ProductId | undefined;
  const seen = new Set<string>();
  let [file, ledger]: [readonly Tally[], readonly Tally[]] = [[], []];
  const write = async (lines: ImportCards['lines'], before: Promise<unknown>) => {
    await before;
    const paymentNumbers = await service.takeNumbers(payeeId, lines.length);
    const command = { payeeId, productId, lines, paymentNumbers, actor: COMMAND_LINE, seen, file: stamp };
    const done: ImportedCards = await service.transact((transaction) =>
      importCards(transaction, service.maker, command),
    );
    for (const number of done.numbers) seen.add(number);
    file = addTallies(file, done.file);
    ledger = addTallies(ledger, done.ledger);
    return done.outcomes;
  };
  const summary = await importLines({
    files,
    format: options.format ?? files.format,
    reader: service.reader,
    batchLines: GIFT_CARD_BATCH,
    write,
    progress,
  });
  return { ...summary, reconciliation: reconcile(file, ledger) };
}

function describe(
  { lines, imported, unchanged, rejected, reconciliation }: CardImportSummary,
  path: string,
  files: ImportFiles,
): string {
  const sums = reconciliation.map(
    ({ currency, cards, amount, ledgerCards, ledgerAmount }) =>
      `In the file ${cards} cards with ${formatMoney(amount, currency)}, in the ledger ${ledgerCards} with ${formatMoney(ledgerAmount, currency)}.`,
  );
  return [
    `${lines} lines: ${imported} imported, ${unchanged} unchanged, ${rejected} refused.`,
    ...sums,
    ...(rejected === 0 ? [] : [describeRefused(path)]),
    describeLeft(files, path),
  ].join('\n');
}

/** What the cards' history says of the file has to be true of what was read. */
async function refuseChanged(
  { stampFile }: CardImportRuntime,
  path: string,
  before: FileStamp | undefined,
): Promise<void> {
  if (before === undefined || (await stampFile(path))?.digest === before.digest) return;
  throw new Trouble(
    `${path} was changed while it was read: the history of its cards names the file as it was before. Compare it with its source, and run the command again.`,
  );
}

function refuseDifference({ reconciliation }: CardImportSummary): void {
  const isEqual = reconciliation.every(
    ({ cards, amount, ledgerCards, ledgerAmount }) => cards === ledgerCards && amount === ledgerAmount,
  );
  if (!isEqual) throw new Trouble('The ledger differs from the file. Run: kontor ledger verify');
}
