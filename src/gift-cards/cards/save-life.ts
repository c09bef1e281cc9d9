import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { saveCards } from '../bulk/save-cards.ts';
import { insertSteps, updateCards } from './life.store.ts';
import type { LifeExtra } from './life.types.ts';

/** The statements that write the steps of a batch: new cards first, because those that they replace point to them. */
export function saveLife(extras: readonly LifeExtra[], now: string): readonly GuardedCall[] {
  const added = extras.filter((extra) => extra.kind === 'New');
  const changed = extras.flatMap((extra) => (extra.kind === 'Changed' ? [extra.card] : []));
  const steps = extras.flatMap((extra) => (extra.kind === 'Step' ? [extra.step] : []));
  return [...saveCards(added), updateCards(changed), insertSteps(steps, now)];
}
