import { type Asking, askIssuer, dispatchElsewhere, dispatchTo, sentWith } from '../engine/ask-issuer.flow.ts';
import { cardDigests } from '../engine/card-history/card-digest.ts';
import type { Answer } from '../engine/leg.types.ts';
import { pointOfServiceOf } from '../issuers/acquirers/acquirer-messages.rules.ts';
import { channelOf } from '../issuers/exchanges.rules.ts';
import type { IssuerRoute } from '../issuers/issuers.types.ts';
import type { CardData, Device } from '../issuers/questions.types.ts';
import { assert } from '../kit/assert.ts';
import { brandOf } from '../kit/cards/brands.ts';
import { maskCardNumber } from '../kit/cards/card-number.ts';
import { inputError } from '../kit/errors.ts';
import { amountMinor, parseCurrencyInUse } from '../kit/money.ts';
import type { Secret } from '../kit/secret.ts';
import type { AccountIdentity } from '../ledger/accounts/ledger-reads.types.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import type {
  AccountsContext,
  CardVerdict,
  Circumstances,
  FailOverCommand,
  NamedAttempt,
  NewPayment,
  NewPaymentCommand,
  PaymentResult,
} from './accounts.types.ts';
import { CHARGE_CARD, FAIL_OVER, NEW_PAYMENT } from './command-kinds.ts';
import { accountOfPath } from './identifying/find-account.ts';
import { cardOf, maskIdentifier, type SentCard } from './identifying/identifier.rules.ts';
import { judgeCard } from './identifying/judge-card.ts';
import { type AboutAttempt, settleAttempt } from './settle-attempt.ts';
import { overLimit } from './turnover/turnover.rules.ts';

/**
 * Carries out an authorize, purchase, deposit or credit: looks at the card here, decides in a batch, and where an
 * external issuer has the word, asks it between two batches.
 *
 * @throws Refusal `notfound` for an unknown account
 * @throws Refusal `inputerror` where the card is named twice in different ways, or the currency is none
 * @throws Refusal `referencereused`, `forbidden`, `conflict`, `gatewaytimeout`, and as `Submit`
 */
export async function makePayment(context: AccountsContext, request: NewPayment): Promise<PaymentResult> {
  const account = await accountOfPath(context, request.payeeId, request.paymentAccountId);
  const card = cardOf(request.identifier);
  const verdict = judgeCard(context.keyRing, account, request.identifier, card);
  if (account.numberEndsSoon && verdict.numberMatches) await context.renewNumber({ ...account, number: card.number });
  const { operation, currency } = request;
  const routes = routesOf(context, { account, operation, currency, number: card.number });
  const data = cardData(request, card);
  const [route] = routes;
  let attempt = route && (await attemptOf(context, request, { route, card: data }));
  const charged = attempt && (await chargedCard(context, request, card.number));
  const turnovers = account.mayBeLimited ? await context.turnoversOf(account) : [];
  const command = commandOf(context, request, { account, card, verdict, attempt, charged, turnovers });
  return askIssuer<PaymentResult>(context, {
    prepare: () => submitWithin(context, command),
    isCalling: async ({ payment }) => (await context.lookUps.payment(payment))?.state === 'CALLING',
    questionOf: () => askingOf({ ...command, attempt }, data),
    failOver: async (_, answer) => {
      const next = attempt && (await failOver(context, { command, attempt, answer, routes, card: data }));
      const result = next && (await context.submit(FAIL_OVER, next));
      if (result?.kind === 'Call') attempt = next?.attempt;
      return result;
    },
    settle: async (_, answer) => {
      const { payment } = await settleAttempt(context, aboutAttempt(context, { ...command, attempt }), answer);
      return { payment, kind: 'Done' };
    },
  });
}

/**
 * Stores what is asked for.
 *
 * @throws Refusal `forbidden` where a limit of the card's product would be passed; the payee is told of it
 */
async function submitWithin(context: AccountsContext, command: NewPaymentCommand): Promise<PaymentResult> {
  const result = await context.submit(command.charged ? CHARGE_CARD : NEW_PAYMENT, command);
  if (result.kind !== 'Limited') return result;
  const { payeeId, actor, accountId, amount, currency, operation } = command;
  const { limit } = result;
  await context.noteLimitReached({ payeeId, actor, accountId, limit, amount, currency });
  throw overLimit(operation, limit);
}

/** The holder of the card is there, and 3-D Secure is for pages. */
const AT_TERMINAL = {
  initiator: { by: 'Customer', channel: 'Terminal', credential: 'None' },
  authentication: undefined,
} as const;

const TILL = { channel: channelOf(AT_TERMINAL.initiator) };

/** Whom there is to ask, the first choice first; none where our own ledger decides, or no acquirer takes the card. */
function routesOf(
  { issuers }: AccountsContext,
  { account, operation, currency, number }: Asked,
): readonly IssuerRoute[] {
  if (account.kind !== 'External' || operation === 'Deposit') return [];
  return issuers.routesOf(account.payeeId, { operation, currency, brand: brandOf(number.reveal()), number });
}

async function attemptOf(
  context: AccountsContext,
  { payeeId, words }: NewPayment,
  { route, card }: { readonly route: IssuerRoute; readonly card: CardData },
): Promise<NamedAttempt> {
  const attemptId = context.newId();
  const pointOfService = pointOfServiceOf(AT_TERMINAL);
  const descriptor = words.merchant?.merchantName;
  const dispatch = await dispatchTo(context, route, { payeeId, attemptId, ...TILL, pointOfService, descriptor, card });
  return { attemptId, issuerId: route.issuer.issuerId, dispatch, originalAttemptId: null };
}

interface FailingOver {
  readonly command: NewPaymentCommand;
  readonly attempt: NamedAttempt;
  readonly answer: Answer;
  readonly routes: readonly IssuerRoute[];
  readonly card: CardData;
}

/** Another acquirer for the card, where the first one was not asked. */
async function failOver(
  context: AccountsContext,
  { command, attempt: from, answer, routes, card }: FailingOver,
): Promise<FailOverCommand | undefined> {
  const { payeeId, actor, accountId, paymentId } = command;
  const { issuerId, dispatch } = from;
  const attemptId = context.newId();
  const { pointOfService, descriptor } = dispatch;
  const opening = { payeeId, attemptId, ...TILL, pointOfService, descriptor, card };
  const next = await dispatchElsewhere(context, { issuerId, answer, routes, ...opening });
  if (next === undefined) return undefined;
  const attempt = { ...next, attemptId, originalAttemptId: null };
  return { payeeId, commandId: context.newId(), actor, accountId, paymentId, from, answer, attempt };
}

interface Asked extends Pick<NewPayment, 'operation' | 'currency'> {
  readonly account: AccountIdentity;
  readonly number: Secret;
}

interface Judged {
  readonly attempt: NewPaymentCommand['attempt'];
  readonly charged: NewPaymentCommand['charged'];
  readonly turnovers: NewPaymentCommand['turnovers'];
  readonly account: AccountIdentity;
  readonly card: SentCard;
  readonly verdict: CardVerdict;
}

function commandOf(
  context: AccountsContext,
  request: NewPayment,
  { account, card, verdict, attempt, charged, turnovers }: Judged,
): NewPaymentCommand {
  const currency = parseCurrencyInUse(request.currency);
  if (currency === undefined) throw inputError('currency', 'must be a code of ISO 4217 that is in use, as in NOK');
  const issuer = context.issuers.named(attempt?.issuerId ?? account.issuer);
  return {
    payeeId: request.payeeId,
    commandId: context.newId(),
    actor: request.actor,
    operation: request.operation,
    accountId: account.accountId,
    paymentId: context.newId() as PaymentId,
    amount: amountMinor(request.amount),
    currency,
    paymentOrderRef: request.paymentOrderRef,
    paymentTransactionRef: request.paymentTransactionRef,
    repeat: request.repeat,
    verdict,
    holdSeconds: issuer.holdSeconds,
    attempt,
    turnovers,
    charged,
    echo: {
      accountIdentifier: maskIdentifier(request.identifier),
      words: request.words,
      circumstances: request.circumstances,
      allowedProductIds: account.allowedProductIds,
      issuer: issuer.issuerId,
      card: {
        matches: verdict.numberMatches,
        numberMasked: maskCardNumber(card.number.reveal()),
        expiryMonth: verdict.expiryMonth ?? null,
      },
    },
  };
}

/** The card that an acquirer charges. In the sandbox a card may be tried again at once. */
async function chargedCard(
  context: AccountsContext,
  { payeeId, operation }: NewPayment,
  number: Secret,
): Promise<NewPaymentCommand['charged']> {
  if (operation === 'Credit' || context.isSandbox) return undefined;
  const digests = cardDigests(context, payeeId, number);
  await context.renewVerdicts({ payeeId, ...digests });
  return { cardDigest: digests.digest, brand: brandOf(number.reveal()) };
}

function askingOf(command: NewPaymentCommand, card: CardData): Asking {
  const { attempt, payeeId, actor, operation, amount, currency, echo } = command;
  assert(attempt !== undefined && operation !== 'Deposit', 'an external issuer takes no deposits');
  const { attemptId, issuerId, dispatch } = attempt;
  return {
    issuerId,
    question: {
      payeeId,
      attemptId,
      operation,
      amount,
      currency,
      card,
      ...AT_TERMINAL,
      schemeTransactionId: undefined,
      exemption: undefined,
      device: deviceOf(echo.circumstances),
      ...sentWith(dispatch, actor),
    },
  };
}

function deviceOf({ payerAddress, userAgent }: Circumstances): Device {
  return {
    ...(payerAddress !== undefined && { address: payerAddress }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

function aboutAttempt(
  { issuers }: AccountsContext,
  { attempt, payeeId, actor, accountId, paymentId, charged }: NewPaymentCommand,
): AboutAttempt {
  assert(attempt !== undefined, 'what an issuer was asked for has an attempt');
  const { attemptId, issuerId } = attempt;
  const { holdSeconds } = issuers.named(issuerId);
  const about = { payeeId, actor, attemptId, issuerId, accountId, paymentId };
  return { ...about, transactionId: null, holdSeconds, release: undefined, charged };
}

function cardData({ identifier }: NewPayment, card: SentCard): CardData {
  const { expiryDate, cvc, securityCode, track2, encryptedPin } = identifier;
  return { number: card.number, expiryDate, cvc: (cvc ?? securityCode)?.digits, track2, encryptedPin };
}
