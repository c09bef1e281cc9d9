import type { Transact } from '../../db/transaction.types.ts';
import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import { nextPortion } from '../../kit/work/next-portion.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { collectSome } from './close-day.ts';

/** Answers of the first portion, and of any at most. */
const PORTION = { first: 1_000, most: 10_000 };

/**
 * Makes items of what an acquirer has answered since the last time, in portions: a snapshot that is held for the answers of days slows payments.
 * What another instance collects meanwhile is there once.
 */
export async function collectAnswers(
  transact: Transact,
  context: SettlementContext,
  acquirer: Acquirer,
  { first, most } = PORTION,
): Promise<void> {
  let portion: { readonly after: string | undefined; readonly most: number } = { after: undefined, most: first };
  do {
    const next = portion;
    const startedAt = performance.now();
    const after = await transact((transaction) => collectSome(transaction, context, acquirer, next));
    portion = { after, most: nextPortion(next.most, performance.now() - startedAt, { most }) };
  } while (portion.after !== undefined);
}
