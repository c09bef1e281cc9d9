import type { Find, GroupStatement } from '../../db/transaction.types.ts';
import { FIND_ANY_PRODUCTS } from '../products/products.store.ts';
import { FIND_CARDS, FIND_SEALED_CARDS } from './life.store.ts';
import type { LifeContext } from './life.types.ts';

/** Makes a look-up that gathers what is asked for in one tick into one statement: the database's. */
type MakeFind = <Key extends object, Row extends object>(statement: GroupStatement<Key>) => Find<Key, Row>;

/** Makes the look-ups of cards. They lock nothing and show what was committed last. */
export function lifeLookUps(makeFind: MakeFind): Pick<LifeContext, 'findCard' | 'findSealedCard' | 'findProduct'> {
  return {
    findCard: makeFind(FIND_CARDS),
    findSealedCard: makeFind(FIND_SEALED_CARDS),
    findProduct: makeFind(FIND_ANY_PRODUCTS),
  };
}
