import { existsSync, readFileSync } from 'node:fs';
import type { TestDatabase } from '../database/database.ts';

// What an acquirer's journal tells of its books, and what our database says of the same payments.

/** A line of a test acquirer's journal: a message of this type, or a change of its books. */
export interface JournalLine {
  readonly event: string;
  readonly type: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** What was booked. */
  readonly change: string;
  /** The attempt that made the payment whose books changed, and how these are then. */
  readonly payment: string;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
}

/** Held, captured and refunded of each payment of which something is, by the attempt that made it. */
export type Sums = Readonly<Record<string, readonly number[]>>;

/** All lines of a journal; none where it is not there yet. */
export function journalLines(path: string): JournalLine[] {
  if (!existsSync(path)) return [];
  // The last line may be under way.
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** What acquirers hold, as their journals tell. */
export function acquirersBooks(...journals: readonly (readonly JournalLine[])[]): Sums {
  const changes = journals.flatMap((lines) => lines.filter(({ event }) => event === 'books'));
  return sumsOf(changes.map(({ payment, held, captured, refunded }) => [payment, [held, captured, refunded]]));
}

/** What we hold at acquirers, as our database tells. */
export async function ownBooks({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Promise<Sums> {
  const rows = await asAdmin(`
    select replace(t.attempt_id::text, '-', '') as attempt, p.captured::float, p.reversed::float,
      (p.amount - p.captured - p.cancelled)::float as held
    from card_payment p
    join card_transaction t on t.payee_id = p.payee_id and t.transaction_id = p.paid_by`);
  return sumsOf(
    rows.map(({ attempt, held, captured, reversed }) => [
      String(attempt),
      [Number(held), Number(captured), Number(reversed)],
    ]),
  );
}

/** The last word on each payment counts. */
export function sumsOf(told: readonly (readonly [attempt: string, sums: readonly number[]])[]): Sums {
  const last = new Map(told);
  return Object.fromEntries([...last].filter(([, sums]) => sums.some((sum) => sum !== 0)));
}

/** Each payment of which two books say different things. */
export function differences(acquirers: Sums, own: Sums): string[] {
  const attempts = new Set([...Object.keys(acquirers), ...Object.keys(own)]);
  return [...attempts].flatMap((attempt) => {
    const [theirs, ours] = [`${acquirers[attempt] ?? 'nothing'}`, `${own[attempt] ?? 'nothing'}`];
    return theirs === ours ? [] : [`${attempt}: the acquirer has ${theirs}, we have ${ours}`];
  });
}

/** Names of messages that came with another content than the first time: STANs that were given twice. */
export function namedTwice(lines: readonly JournalLine[]): string[] {
  const first = new Map<string, string>();
  const twice: string[] = [];
  for (const { event, type, fields, tags } of lines) {
    if (event !== 'received' || type.startsWith('18')) continue;
    const { stan, sentAt, terminalId, amount } = fields;
    const name = `${terminalId} ${stan} ${sentAt}`;
    const content = `${type.slice(0, 3)} ${tags['attemptId']} ${amount}`;
    const before = first.get(name);
    if (before === undefined) first.set(name, content);
    else if (before !== content) twice.push(`${name}: ${before}, ${content}`);
  }
  return twice;
}
