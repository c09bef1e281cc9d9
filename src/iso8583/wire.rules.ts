import { fitsAsk, habitsIn, isAnswerTo, isUsable } from './answers.rules.ts';
import { codecFor } from './codec.rules.ts';
import { answerTypeOf, compose, wantsAnswer } from './compose.rules.ts';
import type { Dialect } from './dialects/dialect.types.ts';
import type { Wire } from './link/link.types.ts';
import type { MessageMac } from './messages.types.ts';

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
  'sentDate',
  'sentTime',
  'exponent',
] as const;

/**
 * A dialect at work on a line.
 *
 * @param forwardingInstitution how the host knows us
 * @param mac with which messages are sealed, where the dialect says so
 */
export function wireOf(dialect: Dialect, forwardingInstitution: string, mac?: MessageMac): Wire {
  const { messages, networkManagement } = dialect;
  const networkTypes = [messages.Network.type, answerTypeOf(messages.Network.type)];
  return {
    ...codecFor(dialect, mac),
    codes: networkManagement,
    isAnswerTo,
    fitsAsk: (ask, answer) => fitsAsk(dialect, ask, answer),
    isUsable: (ask, answer) => isUsable(dialect, ask, answer),
    habitsIn: (ask, answer) => habitsIn(dialect, ask, answer),
    isRequest: ({ type }) => wantsAnswer(type),
    isToAdvice: ({ type }) => type[2] === '3',
    isNetwork: ({ type }) => networkTypes.includes(type),
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
