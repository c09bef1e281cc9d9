import { waitInFlight } from '../engine/ask-issuer.flow.ts';
import type { Device } from '../issuers/questions.types.ts';
import type { Actor } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { Origin, SentCard } from './cards/payment-cards.types.ts';
import { prepareSentCard, prepareStoredCard } from './cards/prepare-card.ts';
import { type LeftCards, releaseCards } from './cards/release-cards.ts';
import { type TryCard, tryCard } from './cards/try-card.flow.ts';
import { requireAlone, submitChange } from './changes/submit-change.ts';
import { LEAVE } from './command-kinds.ts';
import { findCardPayment } from './find-payment.ts';
import { checkCare, checkPageTries, countPageTry, isCounted, type PageCare } from './limit-page-tries.ts';
import { pageAfter } from './page/open-page.ts';
import type { Faults, OpenedPage } from './page/page.types.ts';
import { keyOfForm, typeOfTry } from './page/page-form.rules.ts';
import { preparePageCard } from './page/prepare-page-card.ts';
import type { LeaveCommand, SeenSplit } from './payment-commands.types.ts';
import { isPaidByToken } from './payment-state.rules.ts';
import type { Asked, CardPayment, CardPaymentView, Changed, TryType } from './payments.types.ts';
import type { PaymentFlows } from './payments-context.types.ts';
import { shownPayment } from './show-payment.ts';
import { referenceOfTry } from './tries/tries.rules.ts';

// What pays: a card is prepared in one transaction, tried, and in another one released, where nothing needs it any more.

/** A try with a card that the payee has been told. */
export interface PayWithSentCard extends Asked {
  readonly paymentId: string;
  readonly type: TryType;
  readonly sent: SentCard;
}

/**
 * Pays, or verifies, with a card that the payee has been told. See `prepareSentCard`, `tryCard`.
 *
 * @throws Refusal `notfound`, and as these
 */
export async function payWithSentCard(flows: PaymentFlows, request: PayWithSentCard): Promise<Changed> {
  const { payeeId, actor, idempotencyKey, paymentId, type, sent } = request;
  const view = await findCardPayment(flows.context, { payeeId, paymentId });
  const { payment } = view;
  requireAlone(payment);
  const card = await flows.transact((transaction) => prepareSentCard(transaction, flows.context, { payment, sent }));
  return tryAndRelease(flows, { payeeId, actor, idempotencyKey, view, type, card, origin: originOfPayee(payment) });
}

/**
 * A payment with a token is tried at once; one that was made before and not tried, because we broke down, is tried now. A repeat
 * waits for the issuer that the first request asks.
 *
 * @throws Refusal `conflict` where the issuer takes longer; and as `tryCard`
 */
export async function payWithToken(flows: PaymentFlows, view: CardPaymentView, actor: Actor): Promise<CardPaymentView> {
  const { context, transact } = flows;
  const { payment } = view;
  if (isPaidByToken(payment) && isAsked(view)) return answered(context, view);
  if (!shownPayment(view).isToBeTried) return view;
  const card = await transact((transaction) => prepareStoredCard(transaction, context, payment));
  const { payeeId } = payment;
  const asked = { payeeId, actor, idempotencyKey: undefined };
  try {
    return await tryCard(flows, { ...asked, view, type: 'Authorization', card, origin: originOfPayee(payment) });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'forbidden')) throw error;
    // The same request, sent twice at the same moment: the other one has paid since this one looked.
    const now = await findCardPayment(context, payment);
    if (isAsked(now)) return answered(context, now);
    if (shownPayment(now).isToBeTried) throw error;
    return now;
  }
}

/** Whether an issuer is being asked. */
function isAsked({ transactions }: CardPaymentView): boolean {
  return transactions.some(({ state }) => state === 'Initialized');
}

/** The payment once its issuer has answered. */
async function answered(context: PaymentFlows['context'], asked: CardPaymentView): Promise<CardPaymentView> {
  let view = asked;
  await waitInFlight(context, async () => {
    view = await findCardPayment(context, asked.payment);
    return !isAsked(view);
  });
  return view;
}

/** The payee's program sends it, and may have told what its payer's browser says of itself. */
function originOfPayee({ terms: { userAgent } }: CardPayment): Origin {
  return { channel: 'Api', device: userAgent === undefined ? {} : { userAgent } };
}

/** What a form on the page came to: what its payer has to correct, or the page as it is after the try. */
export type PaidOnPage =
  | { readonly outcome: 'Invalid'; readonly faults: Faults }
  /** Too many cards were declined: from the payer's network, or on the pages of the payee. */
  | { readonly outcome: 'Stopped'; readonly by: 'network' | 'payee'; readonly retryAfterSeconds: number | undefined }
  /** Another one has paid, aborted or tried it meanwhile, or the form was sent before with another card. */
  | { readonly outcome: 'Overtaken' }
  | { readonly outcome: 'Tried'; readonly page: OpenedPage };

/** A payer on a page. */
export interface PayerOnPage {
  readonly page: OpenedPage;
  readonly actor: Actor;
  /** Where from; undefined where all payers have one address, or there is no limit. */
  readonly address: string | undefined;
  /** On this machine, in a sandbox: there is no limit. */
  readonly isFree: boolean;
  readonly device: Device;
}

/** Tries the card of the page's form. What the payer is told comes from the payment as it is then, never from the form. */
export async function payOnPage(
  flows: PaymentFlows,
  payer: PayerOnPage & { readonly fields: ReadonlyMap<string, string>; readonly seen?: SeenSplit | undefined },
): Promise<PaidOnPage> {
  const { transact, context } = flows;
  const { page, actor } = payer;
  const { payeeId } = page.payment;
  let care: PageCare | undefined;
  try {
    const prepared = await transact(async (transaction) => {
      care = await checkPageTries(transaction, context, payer);
      const authenticates = care.authenticatesFor !== undefined;
      const form = await preparePageCard(transaction, context, { ...payer, authenticates });
      if (form.faults === undefined) checkCare(care, form.card);
      return form;
    });
    if (prepared.faults !== undefined) return { outcome: 'Invalid', faults: prepared.faults };
    const { card, type, idempotencyKey } = prepared;
    const changed = await tryAndRelease(flows, {
      payeeId,
      actor,
      idempotencyKey,
      view: page,
      type,
      card,
      origin: { channel: 'Page', device: payer.device },
      seen: payer.seen,
    });
    await count(flows, payer, changed);
    return { outcome: 'Tried', page: pageAfter(flows.context, page, changed) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'toomanyrequests') {
      return { outcome: 'Stopped', by: care ? 'payee' : 'network', retryAfterSeconds: error.retryAfterSeconds };
    }
    if (OVERTAKEN.includes(error.code)) return { outcome: 'Overtaken' };
    throw error;
  }
}

const OVERTAKEN: readonly Refusal['code'][] = ['forbidden', 'conflict', 'referencereused'];

/** Counts a try on a page that has ended, and lets go of the cards that it leaves behind. */
export async function endTryOnPage(flows: PaymentFlows, payer: PayerOnPage, changed: Changed): Promise<void> {
  await count(flows, payer, changed);
  await release(flows, payer.page.payment.payeeId, { candidates: changed.leftOver, tried: undefined });
}

async function count({ transact, context }: PaymentFlows, payer: PayerOnPage, changed: Changed): Promise<void> {
  if (!isCounted(payer, changed)) return;
  const hasBegun = await transact((transaction) => countPageTry(transaction, context, payer, changed));
  if (hasBegun) context.cardTesting.listener?.testing(payer.page.payment.payeeId);
}

/** A payer who does not want to pay now. */
export interface LeavePage {
  readonly page: OpenedPage;
  /** Of the page that they leave. */
  readonly fields: ReadonlyMap<string, string>;
  readonly actor: Actor;
}

/**
 * Lets a payer leave the page. What they have sent from there and that has not begun yet is no try any more, and an
 * authentication that waits is given up. A try that runs goes on: the page that comes back says so, and it must not
 * look cancelled.
 *
 * @returns the page as it is then
 */
export async function leavePage(flows: PaymentFlows, { page, fields, actor }: LeavePage): Promise<OpenedPage> {
  const { context } = flows;
  const { payeeId, paymentId } = page.payment;
  const command: LeaveCommand = {
    payeeId,
    commandId: context.newId(),
    actor,
    paymentId,
    payeeReference: undefined,
    idempotencyKey: referenceOfTry(typeOfTry(page.payment), keyOfForm(fields)),
  };
  await submitChange(context, LEAVE, { command, payment: page.payment });
  const after = await findCardPayment(context, { payeeId, paymentId });
  await release(flows, payeeId, { candidates: sealedIn(page), tried: undefined });
  return pageAfter(flows.context, page, after);
}

/** Refusals that say for certain that a try has had no effect, and will have none. */
const WITHOUT_EFFECT = ['forbidden', 'referencereused', 'inputerror'];

/** Tries a card (see `tryCard`), and destroys what was sealed for it and is needed no more. */
async function tryAndRelease(flows: PaymentFlows, request: TryCard): Promise<Changed> {
  const { payeeId } = request;
  const { instrumentId: tried } = request.card.summary;
  try {
    const changed = await tryCard(flows, request);
    await release(flows, payeeId, { candidates: changed.leftOver, tried: changed.tried });
    return changed;
  } catch (error) {
    if (tried !== undefined && error instanceof Refusal && WITHOUT_EFFECT.includes(error.code)) {
      await release(flows, payeeId, { candidates: [tried], tried });
    }
    throw error;
  }
}

/** The cards that transactions of a payment keep sealed. */
export function sealedIn({ transactions }: CardPaymentView): InstrumentId[] {
  return transactions.flatMap(({ instrumentId }) => instrumentId ?? []);
}

/** Destroys sealed cards that nothing needs any more. */
export async function release({ transact }: PaymentFlows, payeeId: PayeeId, left: LeftCards): Promise<void> {
  if (left.candidates.length > 0) await transact((transaction) => releaseCards(transaction, payeeId, left));
}
