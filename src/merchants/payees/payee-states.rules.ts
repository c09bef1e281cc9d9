import { PAYEE_STATES, type PayeeState } from '../../kit/caller.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Payee } from '../merchants.types.ts';

/**
 * Refuses a change of state that is not one person's to make. To stop a payee takes one, because seconds count; to open it
 * again, or to close it for good, takes another one than has stopped it.
 *
 * @throws Refusal `forbidden`
 */
export function refuseOwnWork({ state, stateBy }: Pick<Payee, 'state' | 'stateBy'>, to: PayeeState, by: string): void {
  const stops = to !== 'Closed' && PAYEE_STATES.indexOf(to) > PAYEE_STATES.indexOf(state);
  if (stops) return;
  if (state === 'Active') throw forbidden('payee', 'Stop the payee first; then another operator can close it.');
  if (stateBy === by) {
    throw forbidden('person', 'Another operator must do this: who stops a payee neither opens it again nor closes it.');
  }
}
