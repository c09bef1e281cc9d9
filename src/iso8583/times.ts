import { assert } from '../kit/assert.ts';
import type { MessageTimes } from './link/link.types.ts';

/** Fields 7 and 12 of an instant; the second one as clocks in this zone show it. */
export function timesOf(at: Date, timeZone: string): MessageTimes {
  const utc = digitsOf(at.toISOString());
  return { transmittedAt: utc.slice(2), sentAt: timeZone === 'UTC' ? utc : digitsOf(zoned(at, timeZone)) };
}

/** `YYMMDDhhmmss` of a text as in `2026-03-09T10:15:28…`. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(2, 14);
}

/** As in `2026-03-09 10:15:28`: Sweden writes dates so. */
function zoned(at: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? makeFormat(timeZone);
  return format.format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}

/** One for the life of a payment: last digit of the year, day of the year, hour in UTC, STAN. */
export function retrievalReferenceOf(at: Date, stan: string): string {
  assert(/^[0-9]{6}$/.test(stan), 'a STAN has six digits');
  const dayOfYear = Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
  const day = String(dayOfYear).padStart(3, '0');
  return `${at.getUTCFullYear() % 10}${day}${String(at.getUTCHours()).padStart(2, '0')}${stan}`;
}

const DAY_MS = 24 * 60 * 60 * 1000;
