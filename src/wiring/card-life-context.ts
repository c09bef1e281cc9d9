import type { Database } from '../db/open-database.ts';
import type { LifeContext } from '../gift-cards/cards/life.types.ts';
import { lifeLookUps } from '../gift-cards/cards/life-look-ups.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import { randomDigits } from '../kit/secret.ts';
import type { Ledger } from '../ledger/ledger.types.ts';
import type { VaultContext } from '../vault/vault.types.ts';

/** What the life of gift cards is made of. */
export interface CardLifeParts {
  readonly database: Pick<Database, 'find' | 'transact'>;
  readonly vault: VaultContext;
  readonly ledger: Ledger;
}

/** Puts the life of gift cards on this process. */
export function cardLifeContext({ database, vault, ledger }: CardLifeParts): LifeContext {
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
