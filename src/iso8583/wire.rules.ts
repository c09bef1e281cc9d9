import { fitsAsk, habitsIn, isAnswerTo, isUsable } from './answers.rules.ts';
import { codecFor } from './codec.rules.ts';
import { answerTypeOf, compose, wantsAnswer } from './compose.rules.ts';
import type { Dialect } from './dialects/dialect.types.ts';
import type { Wire } from './link/link.types.ts';

/** What an answer of ours repeats of a request of the host's. */
const REPEATED = [
  'amount',
  'transmittedAt',
  'stan',
  'sentAt',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'terminalId',
  'merchantId',
  'currency',
] as const;

/** Digits of a type before the one that says whether it is a repeat. */
const TYPE_DIGITS_BEFORE = 3;

/**
 * A dialect at work on a line.
 *
 * @param forwardingInstitution how the host knows us
 */
export function wireOf(dialect: Dialect, forwardingInstitution: string): Wire {
  const { header, messages, networkManagement, repeatDigit } = dialect;
  const repeatPlace = header.lengthBytes + header.prefix.length / 2 + TYPE_DIGITS_BEFORE;
  const networkTypes = [messages.Network.type, answerTypeOf(messages.Network.type)];
  return {
    ...codecFor(dialect),
    codes: networkManagement,
    isAnswerTo,
    fitsAsk: (ask, answer) => fitsAsk(dialect, ask, answer),
    isUsable: (ask, answer) => isUsable(dialect, ask, answer),
    habitsIn: (ask, answer) => habitsIn(dialect, ask, answer),
    isRequest: ({ type }) => wantsAnswer(type),
    isToAdvice: ({ type }) => type[2] === '3',
    isNetwork: ({ type }) => networkTypes.includes(type),
    repeatOf: (bytes) => {
      const repeat = Buffer.from(bytes);
      repeat.write(repeatDigit, repeatPlace, 'latin1');
      return repeat;
    },
    network: (functionCode, times) =>
      compose(dialect, { kind: 'Network', fields: { ...times, functionCode, forwardingInstitution } }),
    answerTo: ({ type, fields }, actionCode) => ({
      type: answerTypeOf(type),
      fields: {
        ...Object.fromEntries(REPEATED.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
        ...(fields.functionCode === undefined || type !== messages.Network.type
          ? {}
          : { functionCode: fields.functionCode }),
        actionCode,
      },
      tags: {},
    }),
  };
}
