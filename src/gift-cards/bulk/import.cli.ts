import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { describeLeft, describeRefused, refuseRefused } from '../../kit/imports/after-import.ts';
import type { ImportFiles, ImportFormat } from '../../kit/imports/import.types.ts';
import { importLines } from '../../kit/imports/import-lines.ts';
import { GIFT_CARD_BATCH } from '../../kit/limits.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { addTallies, reconcile } from '../cards/tallies.ts';
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

interface Options {
  readonly product?: string;
  readonly format?: ImportFormat;
  readonly payee?: string;
  readonly json?: true;
  readonly allowRefused?: true;
}

/** Adds `gift-cards import`. */
export function cardImportCommand(cards: Command, runtime: CardImportRuntime): void {
  cards
    .command('import')
    .description('take over the cards of another programme; running the same file again imports nothing twice')
    .argument('<file>', 'one card a line, as JSON or CSV; refused lines go to <file>.rejected')
    .option('--product <id>', 'what lines are that name none (default: the default product)')
    .addOption(
      new Option('--format <format>', 'how they are written (default: by the name of the file)').choices([
        'ndjson',
        'csv',
      ]),
    )
    .option('--payee <id>', 'whose they become; may be left out while there is one payee')
    .option('--allow-refused', 'end with status 0 though lines were refused')
    .option('--json', 'print {"lines", "imported", "unchanged", "rejected", "reconciliation"}')
    .action(async (path: string, options: Options) => {
      const files = await runtime.openImport(path);
      try {
        const summary = await runtime.withService((service) => run(runtime, service, { files, options }));
        runtime.print(options.json ? JSON.stringify(summary) : describe(summary, path, files));
        refuseDifference(summary);
        if (!options.allowRefused) refuseRefused(summary, path);
      } finally {
        await files.close();
      }
    });
}

async function run(
  { progress }: CardImportRuntime,
  service: CardImportService,
  { files, options }: { readonly files: ImportFiles; readonly options: Options },
): Promise<CardImportSummary> {
  const payeeId: PayeeId = await service.whichPayee(options.payee);
  const productId = options.product as ProductId | undefined;
  const seen = new Set<string>();
  let [file, ledger]: [readonly Tally[], readonly Tally[]] = [[], []];
  const write = async (lines: ImportCards['lines'], before: Promise<unknown>) => {
    await before;
    const paymentNumbers = await service.takeNumbers(payeeId, lines.length);
    const command = { payeeId, productId, lines, paymentNumbers, actor: COMMAND_LINE, seen };
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

function refuseDifference({ reconciliation }: CardImportSummary): void {
  const isEqual = reconciliation.every(
    ({ cards, amount, ledgerCards, ledgerAmount }) => cards === ledgerCards && amount === ledgerAmount,
  );
  if (!isEqual) throw new Trouble('The ledger differs from the file. Run: kontor ledger verify');
}
