import { closeSync, createReadStream, existsSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Trouble } from '../../src/kit/work/trouble.ts';
import type { BookChange } from './books.ts';
import type { HostMessage } from './host-frames.ts';

/** What the host writes down: each message, masked, and each change of its books. */
export interface Journal {
  write(entry: Readonly<Record<string, unknown>>): void;
  close(): void;
}

/** Appends a JSON line for each entry to a file, at once: what is answered is written, whatever ends the process. */
export function openJournal(path: string | undefined, now: () => Date): Journal {
  if (path === undefined) return { write: () => undefined, close: () => undefined };
  const file = openSync(path, 'a', 0o600);
  return {
    write: (entry) => void writeSync(file, `${JSON.stringify({ at: now().toISOString(), ...entry })}\n`),
    close: () => closeSync(file),
  };
}

/**
 * The changes of the books that a journal tells, in their order: those of earlier lives of the program.
 *
 * @throws Trouble for a line that is no JSON
 */
export async function readChanges(path: string | undefined): Promise<readonly BookChange[]> {
  if (path === undefined || !existsSync(path)) return [];
  const changes: BookChange[] = [];
  let number = 0;
  for await (const line of createInterface(createReadStream(path))) {
    number++;
    if (!line.includes('"event":"books"')) continue;
    try {
      changes.push(JSON.parse(line));
    } catch {
      throw new Trouble(`Line ${number} of the journal is no JSON.`);
    }
  }
  return changes;
}

/** A message without what is secret: the number masked, no expiry, code, authentication value or address. */
export function maskedMessage({ type, fields, tags }: HostMessage): Readonly<Record<string, unknown>> {
  const { cardNumber, expiry: _, ...rest } = fields;
  const {
    updatedNumber: _number,
    updatedExpiry: _until,
    cvc: _cvc,
    authenticationValue: _value,
    payerAddress: _payer,
    billingAddress: _billing,
    ...others
  } = tags;
  const masked =
    cardNumber === undefined ? {} : { cardNumber: `${cardNumber.slice(0, 6)}******${cardNumber.slice(-4)}` };
  return { type, fields: { ...masked, ...rest }, tags: others };
}
