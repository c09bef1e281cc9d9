import { COMMAND_LINE } from '../kit/caller.ts';
import type { WeighAct } from '../kit/given.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import { BOOKED_INVARIANTS } from './booked-invariants.store.ts';
import { selectNow } from './clock.store.ts';
import { CONVERSION_INVARIANTS } from './conversions.store.ts';
import { INVARIANTS } from './invariants.store.ts';
import { BALANCES_ARE_KEPT } from './reports/balance-invariant.store.ts';
import { settlementActs } from './settlement-acts.flow.ts';
import type { SettlementContext, SettlementService } from './settlements.types.ts';

/** What people book by hand may need another person. */
export interface Weighing {
  readonly weighAct: WeighAct;
}

/** Composes settlement: what acquirers owe, their files, and disputes. */
export function composeSettlements(context: SettlementContext) {
  const acts = settlementActs(context, selectNow);
  return {
    context,
    invariants: [...INVARIANTS, ...BOOKED_INVARIANTS, ...CONVERSION_INVARIANTS, BALANCES_ARE_KEPT],
    /** What of settlement may need a second person. */
    acts,
    commands: {
      settlements: ({ weighAct }: Weighing): SettlementService => {
        const { longWork, report, background } = context.database;
        const { read, transact } = background;
        return {
          read,
          transact,
          report,
          longWork,
          context,
          act: (name, asked) => weighAct(acts[name], asked, { actor: COMMAND_LINE, isReauthenticated: true }),
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}
