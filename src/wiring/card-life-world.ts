import type { Database } from '../db/open-database.ts';
import type { LifeWorld } from '../gift-cards/cards/life.types.ts';
import { lifeLookUps } from '../gift-cards/cards/life-look-ups.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { randomDigits } from '../kit/secret.ts';
import type { Ledger } from '../ledger/verification/ledger.types.ts';
import type { VaultWorld } from '../vault/vault.types.ts';

/** What the life of gift cards is made of. */
export interface CardLifeParts {
  readonly database: Pick<Database, 'find' | 'transact'>;
  readonly vault: VaultWorld;
  readonly ledger: Ledger;
}

/** Puts the life of gift cards on this process. */
export function cardLifeWorld({ database, vault, ledger }: CardLifeParts): LifeWorld {
  return {
    ...vault,
    ...lifeLookUps(database.find),
    randomDigits,
    submit: ledger.submit,
    renewKeys: async () => {
      await database.transact((transaction) => loadWriteKeys(transaction, vault.keyRing));
    },
  };
}
