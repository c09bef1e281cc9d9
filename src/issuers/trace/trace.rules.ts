import type { TraceRow } from './trace.types.ts';

/** Whose message it is where it names nothing that is known. */
const UNKNOWN = '(unknown)';

/** A message for people to read: when, where and which way, then its fields by number, or its members. */
export function messageText({
  at,
  acquirerId,
  scheme,
  site,
  isOurs,
  type,
  fields,
  leftOut,
}: Omit<TraceRow, 'traceId' | 'serverTransactionId' | 'dsTransactionId'>): string {
  const heading = `${at}  ${acquirerId ?? scheme ?? UNKNOWN} ${site}  ${isOurs ? 'sent' : 'received'} ${type}`;
  const width = Math.max(...fields.map(([, name]) => name.length), 0);
  const lines = fields.map(
    ([number, name, value]) =>
      `  ${(acquirerId === null ? '' : String(number)).padStart(3)}  ${name.padEnd(width)}  ${value}`,
  );
  return [...(leftOut === 0 ? [] : [`(${leftOut} messages are not kept)`]), heading, ...lines].join('\n');
}
