import {
  type Command,
  command,
  flag,
  type Given,
  needed,
  oneOf,
  optional,
  payeeOption,
  readWhole,
} from '../kit/command.ts';
import { inputError } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type AmountMinor, formatMoney } from '../kit/money.ts';
import type { CardFormat, CardsRuntime, CardsService, IssueRun } from './bulk/bulk.types.ts';
import { openFile } from './bulk/open-file.cli.ts';
import { runIssue } from './bulk/run-issue.cli.ts';
import type { ProductId, ProductOnSale } from './gift-cards.types.ts';

/** Cards in one file of `gift-cards issue`: it is read as a whole where a run is taken up. */
const GIFT_CARD_FILE_CARDS = 1_000_000;

const FORMATS: readonly CardFormat[] = ['ndjson', 'csv'];

const ISSUE = {
  count: needed('<number>', 'how many cards the file is to have', readWhole),
  amount: needed('<amount>', 'what each card holds, in minor units; 0 for none', readWhole),
  out: needed('<file>', 'takes the cards; only its owner may read it'),
  product: optional('<id>', 'what they are (default: the default product)'),
  format: oneOf('<format>', 'how they are written (default: by the name of the file)', FORMATS),
  inactive: flag('cards that are sold later: each is active once the sale has put money on it'),
  to: optional('<keyfile>', "a printer's RSA public key or certificate: only its private key opens the file"),
  payee: payeeOption('whose they are'),
};

const issue = command({
  name: 'issue',
  about: 'issue cards into a file; a run that was cut off is taken up by the same command',
  takes: ISSUE,
  json: 'print {"issued", "cards"}',
  run: (runtime: CardsRuntime, given) => runtime.withService((service) => issueCards(runtime, service, given)),
  asJson: ({ summary }) => summary,
  show: ({ run, summary }) => {
    const each = formatMoney(run.amount, run.product.currency);
    return `${summary.cards} cards of ${each} each are in ${run.path}; ${summary.issued} of them are new.`;
  },
});

/** Those of `gift-cards …` that are about files of cards. */
export const giftCardCommands: readonly Command<CardsRuntime>[] = [issue, openFile];

async function issueCards(runtime: CardsRuntime, service: CardsService, given: Given<typeof ISSUE>) {
  const payeeId = await service.whichPayee(given.payee);
  const { amount, count, out: path, inactive: isInactive } = given;
  const product = await productForIssue(service, { payeeId, productId: given.product, amount, count });
  const format = given.format ?? (path.endsWith('.csv') ? 'csv' : 'ndjson');
  const seal = given.to === undefined ? undefined : await runtime.readPrinterKey(given.to);
  if (isInactive && amount !== 0) throw inputError('--amount', 'must be 0 with --inactive: the sale puts the money on');
  const run: IssueRun = { payeeId, product, amount: amount as AmountMinor, isInactive, count, format, path, seal };
  const file = await runtime.openCardFile(path);
  try {
    return { run, summary: await runIssue({ service, runtime, file, run }) };
  } finally {
    await file.close();
  }
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
