import type { Kontor } from '../kontor.types.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { EventsService } from './events.types.ts';
import { SIGNING_SECRET_USE } from './webhooks/signing-secrets.ts';

/** Composes events: the feed, webhooks and their deliveries. */
export function composeEvents(context: Kontor) {
  return {
    context,
    keyUses: [SIGNING_SECRET_USE],
    commands: {
      events: (): EventsService => {
        const { read, transact } = context.database.background;
        return {
          read,
          transact,
          events: context,
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}
