import { type Command, InvalidArgumentError, Option } from 'commander';
import { inputError } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type AmountMinor, formatMoney } from '../kit/money.ts';
import type { CardFormat, CardsRuntime, CardsService, IssueRun } from './bulk/bulk.types.ts';
import { addOpenFile } from './bulk/open-file.cli.ts';
import { runIssue } from './bulk/run-issue.cli.ts';
import type { ProductId, ProductOnSale } from './gift-cards.types.ts';

/** Cards in one file of `gift-cards issue`: it is read as a whole where a run is taken up. */
const GIFT_CARD_FILE_CARDS = 1_000_000;

interface IssueOptions {
  readonly product?: string;
  readonly count: number;
  readonly amount: number;
  readonly out: string;
  readonly format?: CardFormat;
  readonly inactive?: true;
  readonly to?: string;
  readonly payee?: string;
  readonly json?: true;
}

/** Adds what `kontor gift-cards` does with many cards; more is added to what it answers. */
export function giftCardCommands(program: Command, runtime: CardsRuntime): Command {
  const cards = program.command('gift-cards').description('gift cards: one, or by the thousand');
  addIssue(cards, runtime);
  addOpenFile(cards, runtime);
  return cards;
}

function addIssue(cards: Command, runtime: CardsRuntime): void {
  cards
    .command('issue')
    .description('issue cards into a file; a run that was cut off is taken up by the same command')
    .requiredOption('--count <number>', 'how many cards the file is to have', whole)
    .requiredOption('--amount <amount>', 'what each card holds, in minor units; 0 for none', whole)
    .requiredOption('--out <file>', 'takes the cards; only its owner may read it')
    .option('--product <id>', 'what they are (default: the default product)')
    .addOption(
      new Option('--format <format>', 'how they are written (default: by the name of the file)').choices(FORMATS),
    )
    .option('--inactive', 'cards that are sold later: each is active once the sale has put money on it')
    .option('--to <keyfile>', "a printer's RSA public key or certificate: only its private key opens the file")
    .option('--payee <id>', 'whose they are; may be left out while there is one payee')
    .option('--json', 'print {"issued", "cards"}')
    .action(async (options: IssueOptions) => {
      const { run, summary } = await runtime.withService((service) => issue(runtime, service, options));
      if (options.json) return runtime.print(JSON.stringify(summary));
      const each = formatMoney(run.amount, run.product.currency);
      runtime.print(`${summary.cards} cards of ${each} each are in ${run.path}; ${summary.issued} of them are new.`);
    });
}

const FORMATS = ['ndjson', 'csv'];

async function issue(runtime: CardsRuntime, service: CardsService, options: IssueOptions) {
  const payeeId = await service.whichPayee(options.payee);
  const { amount, count, out: path } = options;
  const product = await productForIssue(service, { payeeId, productId: options.product, amount, count });
  const format = options.format ?? (path.endsWith('.csv') ? 'csv' : 'ndjson');
  const seal = options.to === undefined ? undefined : await runtime.readPrinterKey(options.to);
  const isInactive = options.inactive === true;
  if (isInactive && amount !== 0) throw inputError('--amount', 'must be 0 with --inactive: the sale puts the money on');
  const run: IssueRun = { payeeId, product, amount: amount as AmountMinor, isInactive, count, format, path, seal };
  const file = await runtime.openCardFile(path);
  try {
    return { run, summary: await runIssue({ service, runtime, file, run }) };
  } finally {
    await file.close();
  }
}

/** A whole number as it was written. */
function whole(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** What the operator wants to issue, as they typed it. */
export interface WantedCards {
  readonly payeeId: PayeeId;
  /** Undefined: the payee's default product. */
  readonly productId: string | undefined;
  readonly amount: number;
  readonly count: number;
}

/**
 * The product of cards that are to be issued.
 *
 * @throws Refusal `inputerror` where it is not on sale, or does not take the amount
 */
export async function productForIssue(
  { findProduct }: Pick<CardsService, 'findProduct'>,
  { payeeId, productId, amount, count }: WantedCards,
): Promise<ProductOnSale> {
  const product = await findProduct({ payeeId, productId: (productId ?? null) as ProductId | null });
  if (product === undefined)
    throw inputError('--product', 'must be a product on sale; gift-card-products list shows them');
  if (count < 1 || count > GIFT_CARD_FILE_CARDS) throw inputError('--count', `must be 1 to ${GIFT_CARD_FILE_CARDS}`);
  const { smallestAmount, largestAmount, currency } = product;
  if (amount !== 0 && (amount < smallestAmount || amount > largestAmount)) {
    const [from, to] = [smallestAmount, largestAmount].map((minor) => formatMoney(minor, currency));
    throw inputError('--amount', `must be 0, or from ${from} to ${to} in minor units`);
  }
  return product;
}
