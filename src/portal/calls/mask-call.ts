import { instantOf } from '../../kit/instants.ts';
import type { FinishedCall } from '../../kit/work/finished-call.ts';
import type { Masked, MaskedCall } from './calls.types.ts';
import { HIDDEN, maskedAddress, maskedBody, maskedHeaders } from './masking.rules.ts';

/** Bytes of a body that is read for the log: larger ones are hidden whole. */
const LOGGED_BODY_BYTES = 16 * 1024;

/** Where an address leads that leads nowhere. It may hold anything, so nothing of it is kept. */
const NOWHERE = 'unknown';

/** What the log keeps of a call. */
export function maskCall(
  call: FinishedCall,
  { callId, maskCardNumbers }: { readonly callId: string; readonly maskCardNumbers: (text: string) => string },
): MaskedCall {
  const route = call.route ?? NOWHERE;
  const answer = readAnswer(call.answer);
  const address = call.route === undefined ? NOWHERE : maskedAddress({ ...call, route });
  return {
    payeeId: call.payeeId,
    callId,
    at: instantOf(call.at),
    sessionId: call.sessionId,
    method: call.method,
    route,
    operationId: call.operationId ?? null,
    status: call.status,
    durationMs: Math.round(call.durationMs),
    credential: call.credential,
    problem: problemOf(answer),
    resourceId: resourceOf(call, answer),
    address,
    headers: maskedHeaders(call.headers),
    requestBody: bodyOf(call, maskCardNumbers),
    answerBody: answer === undefined ? null : maskedBody(answer, call.answerForm, maskCardNumbers),
  };
}

/** Of an unchecked body the log has the members, and no text: it may hold anything anywhere. */
function bodyOf({ body, rawBody, bodyForm }: FinishedCall, maskCardNumbers: (text: string) => string): Masked {
  if (body !== undefined) return maskedBody(body, bodyForm, maskCardNumbers);
  if (rawBody === undefined || rawBody.length === 0) return null;
  const read = rawBody.length > LOGGED_BODY_BYTES ? undefined : parsed(rawBody.toString('utf8'));
  return read === undefined ? HIDDEN : maskedBody(read, bodyForm, () => HIDDEN);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A problem was written out already. */
function readAnswer(answer: unknown): unknown {
  return typeof answer === 'string' ? parsed(answer) : answer;
}

/** The last word of a problem's type is its code. */
function problemOf(answer: unknown): string | null {
  const type = memberOf(answer, 'type');
  const code = typeof type === 'string' ? /\/([a-z]{1,60})$/.exec(type)?.[1] : undefined;
  return code ?? null;
}

const UUID_AT_END = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The payment or gift card that a call was about: as the address names it, or as the answer does. */
function resourceOf({ params }: FinishedCall, answer: unknown): string | null {
  const named = [
    params['paymentId'],
    memberOf(answer, 'paymentId'),
    memberOf(memberOf(answer, 'payment'), 'id'),
    memberOf(memberOf(answer, 'giftCard'), 'accountId'),
    params['paymentAccountId'],
  ];
  for (const name of named) {
    const id = typeof name === 'string' ? UUID_AT_END.exec(name.toLowerCase())?.[1] : undefined;
    if (id !== undefined) return id;
  }
  return null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
