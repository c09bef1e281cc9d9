import type { TraceRow } from './trace.types.ts';

/** A message for people to read: when, where and which way, then its fields by number. */
export function messageText({
  at,
  acquirerId,
  site,
  isOurs,
  type,
  fields,
  leftOut,
}: Omit<TraceRow, 'traceId'>): string {
  const heading = `${at}  ${acquirerId} ${site}  ${isOurs ? 'sent' : 'received'} ${type}`;
  const width = Math.max(...fields.map(([, name]) => name.length), 0);
  const lines = fields.map(
    ([number, name, value]) => `  ${String(number).padStart(3)}  ${name.padEnd(width)}  ${value}`,
  );
  return [...(leftOut === 0 ? [] : [`(${leftOut} messages are not kept)`]), heading, ...lines].join('\n');
}
