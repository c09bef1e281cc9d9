import { askHost } from '../issuers/ask-host.ts';
import type { IssuerQuestion } from '../issuers/issuers.types.ts';
import type { Actor } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import { traceparentOf } from '../kit/trace.ts';
import type { AccountsWorld, Merchant, SettleAttemptCommand, SettledAttempt } from './accounts.types.ts';
import { SETTLE_ATTEMPT } from './command-kinds.ts';

/** A question that is stored as being put, and what is known of the answer's place before it is there. */
export interface Asking {
  readonly issuerId: string;
  readonly question: IssuerQuestion;
  readonly about: Omit<SettleAttemptCommand, 'payeeId' | 'commandId' | 'attemptId' | 'answer'>;
}

/** What a question says of who asks: where the payment is made, and the trace that the request is part of. */
export function askerOf({ trace }: Actor, merchant: Merchant | undefined) {
  return {
    merchantName: merchant?.merchantName ?? '',
    terminalId: merchant?.terminalId,
    traceparent: trace && traceparentOf(trace),
  };
}

/**
 * Puts a question to its external issuer, once, and stores the answer. Between the two batches no transaction is open.
 *
 * @throws Refusal `gatewaytimeout` where no answer came in time, or it could not be stored: what was asked for is or will
 * be reversed, and a repeat tells so
 */
export async function askIssuer(world: AccountsWorld, { issuerId, question, about }: Asking): Promise<SettledAttempt> {
  const answer = await askHost(world, issuerId, question);
  const { payeeId, attemptId } = question;
  const settle: SettleAttemptCommand = { ...about, payeeId, commandId: world.newId(), attemptId, answer };
  const settled = await world.submit(SETTLE_ATTEMPT, settle).catch((error: unknown) => {
    throw noAnswer(error);
  });
  if ((settled.transaction ?? settled.payment).state === 'REVERSED') throw noAnswer(undefined);
  return settled;
}

function noAnswer(cause: unknown): Refusal {
  return new Refusal('gatewaytimeout', 'The issuer did not answer in time. Repeat with the same reference.', { cause });
}
