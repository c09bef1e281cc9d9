import type { CardData, IssuerAnswer } from '../issuers/issuers.types.ts';
import { assert } from '../kit/assert.ts';
import { Refusal } from '../kit/errors.ts';
import { ISSUER_ANSWER_MS } from '../kit/limits.ts';
import { traceparentOf } from '../kit/trace.ts';
import type { AccountsWorld, OpenPaymentCommand, PaymentResult, SettleAttemptCommand } from './accounts.types.ts';
import { SETTLE_ATTEMPT } from './command-kinds.ts';

/**
 * Asks the external issuer about a payment that is stored as being asked about, once, and stores the answer. Between the
 * two batches no transaction is open.
 *
 * @throws Refusal `gatewaytimeout` where no answer came in time, or it could not be stored: the payment is or will be
 * reversed, and a repeat tells so
 */
export async function askIssuer(
  world: AccountsWorld,
  command: OpenPaymentCommand,
  card: CardData,
): Promise<PaymentResult> {
  const { attempt, payeeId, actor, accountId, paymentId, holdSeconds } = command;
  assert(attempt !== undefined, 'only a payment with an attempt is asked about');
  const answer = await ask(world, command, card);
  const settle: SettleAttemptCommand = {
    payeeId,
    commandId: world.newId(),
    actor,
    attemptId: attempt.attemptId,
    accountId,
    paymentId,
    answer,
    holdSeconds,
  };
  const { payment } = await world.submit(SETTLE_ATTEMPT, settle).catch((error: unknown) => {
    throw noAnswer(error);
  });
  if (payment.state === 'REVERSED') throw noAnswer(undefined);
  return { payment, kind: 'Done' };
}

async function ask(
  { issuers, withDeadline }: AccountsWorld,
  command: OpenPaymentCommand,
  card: CardData,
): Promise<IssuerAnswer | { readonly outcome: 'NoAnswer' }> {
  const { payeeId, actor, operation, amount, currency, attempt, echo } = command;
  assert(attempt !== undefined, 'only a payment with an attempt is asked about');
  const { host } = issuers.named(attempt.issuerId);
  assert(host !== undefined && operation !== 'Deposit', 'an external issuer has a host, and takes no deposits');
  const { merchantName = '', terminalId } = echo.words.merchant ?? {};
  const question = {
    payeeId,
    attemptId: attempt.attemptId,
    operation,
    amount,
    currency,
    card,
    merchantName,
    terminalId,
    traceparent: actor.trace && traceparentOf(actor.trace),
  };
  // Whatever goes wrong, the issuer may have said yes before: not to know is the only honest outcome.
  return withDeadline(ISSUER_ANSWER_MS, (signal) => host.ask(question, signal)).catch(() => ({
    outcome: 'NoAnswer' as const,
  }));
}

function noAnswer(cause: unknown): Refusal {
  return new Refusal('gatewaytimeout', 'The issuer did not answer in time. Repeat with the same reference.', { cause });
}
