import type { Config } from '../config.ts';
import type { Database } from '../db/server/database.types.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { EventsContext, EventsService } from './events.types.ts';
import { SIGNING_SECRET_USE } from './webhooks/signing-secrets.ts';

/** What events are composed of. */
export interface EventsParts extends Omit<EventsContext, 'mode'> {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'read' | 'transact' | 'background'>;
  readonly cardPrefixes: () => CardPrefixes;
}

/** Composes events: the feed, webhooks and their deliveries. */
export function composeEvents({ config, database, keyRing, newId, cardPrefixes }: EventsParts) {
  const context: EventsContext = { mode: config.mode, keyRing, newId };
  return {
    context,
    database,
    cardPrefixes,
    keyUses: [SIGNING_SECRET_USE],
    commands: {
      events: (): EventsService => {
        const { read, transact } = database.background;
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
