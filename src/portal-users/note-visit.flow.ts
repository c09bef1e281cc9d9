import type { Transact, Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { type Actor, nameOfActor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { sha256 } from '../kit/secret.ts';
import { countAttempt } from '../merchants/attempts/count-attempt.ts';

/** An operator who looks at what is a payee's. */
export interface Visit {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

const HOUR_MS = 3_600_000;
/** Visits of the hour that a process remembers: more operators and payees than an installation has at once. */
const VISITS = 10_000;
/** What counts visits of one hour across instances. It is never full. */
const COUNTER = { kind: 'operator-visit', attempts: 2 ** 30, windowSeconds: 3600, refusal: '' };

/**
 * Makes what notes that an operator looks at what is a payee's: one row of the payee's audit trail for person, payee and hour
 * of the clock, whatever they look at and whichever instance answers (PCI DSS 4.0.1, 10.2.1). It is there before the answer is.
 */
export function notingVisits({ transact, now }: { transact: Transact; now: () => number }) {
  const noted = new Set<string>();
  return async (visit: Visit): Promise<void> => {
    const name = `${nameOfActor(visit.actor)} ${visit.payeeId} ${Math.floor(now() / HOUR_MS)}`;
    if (noted.has(name)) return;
    await transact((transaction) => noteVisit(transaction, visit, name));
    if (noted.size >= VISITS) noted.clear();
    noted.add(name);
  };
}

async function noteVisit(transaction: Transaction, { payeeId, actor }: Visit, name: string): Promise<void> {
  const subject = { payeeId, digest: sha256(`operator visit ${name}`) };
  if ((await countAttempt(transaction, subject, COUNTER)) > 1) return;
  await writeAudit(transaction, [{ payeeId, actor, action: 'visit-payee', objectId: payeeId }]);
}
