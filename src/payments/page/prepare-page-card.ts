import type { Transaction } from '../../db/transaction.types.ts';
import { Refusal } from '../../kit/errors.ts';
import { CODE } from '../cards/card.rules.ts';
import type { PreparedCard } from '../cards/payment-cards.types.ts';
import { prepareChosenCard, prepareSentCard } from '../cards/prepare-card.ts';
import type { TryType } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import type { Faults, OpenedPage, PaidWith } from './page.types.ts';
import { keyOfForm, readPayForm, typeOfTry } from './page-form.rules.ts';

/** What a form on the page comes to: a card to be tried, or what its payer has to correct. */
export type PreparedForm =
  | { readonly faults: Faults }
  | {
      readonly faults: undefined;
      readonly card: PreparedCard;
      readonly type: TryType;
      /** Of the form: see `keyOfForm`. */
      readonly idempotencyKey: string | undefined;
    };

/** What a payer has filled in. */
export interface FilledForm {
  readonly page: OpenedPage;
  readonly fields: ReadonlyMap<string, string>;
  /** Whether the payer must authenticate, also where the payee does not want it. */
  readonly authenticates: boolean;
}

/** Reads what a payer has filled in, and prepares the card that it names: see `prepareSentCard`, `prepareChosenCard`. */
export async function preparePageCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  { page, fields, authenticates }: FilledForm,
): Promise<PreparedForm> {
  const read = readPayForm(fields, { ...page, cardPrefixes: context.cardPrefixes() });
  if (read.faults !== undefined) return read;
  const { paidWith, tokenTypes } = read;
  const { payment } = page;
  try {
    const card = await (paidWith.kind === 'Typed'
      ? prepareSentCard(transaction, context, { payment, sent: paidWith.sent, tokenTypes, authenticates })
      : prepareChosenCard(transaction, context, { payment, token: paidWith.token, cvc: paidWith.cvc }));
    return { faults: undefined, card, type: typeOfTry(payment), idempotencyKey: keyOfForm(fields) };
  } catch (error) {
    const faults = error instanceof Refusal ? faultsOf(error, paidWith, context.isSandbox) : undefined;
    if (faults === undefined) throw error;
    return { faults };
  }
}

/** Why a form that is well-formed names no card that can be tried, for its payer. */
function faultsOf({ code, problems }: Refusal, paidWith: PaidWith, isSandbox: boolean): Faults | undefined {
  const isGone = code === 'notfound' || code === 'paymenttokeninactive';
  if (paidWith.kind === 'Stored') return isGone ? { card: 'cardGone' } : undefined;
  if (code !== 'inputerror') return undefined;
  // The form knows a brand by the number's first digits; the card ranges may know another one, with other lengths.
  if (problems[0]?.name !== CODE) return { number: isSandbox ? 'numberNoTestCard' : 'numberWrong' };
  return { cvc: paidWith.sent.code?.digits.reveal().length === 3 ? 'cvcWrongAmex' : 'cvcWrong' };
}
