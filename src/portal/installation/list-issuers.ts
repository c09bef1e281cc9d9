import type { Transaction } from '../../db/transaction.types.ts';
import { loadGiftCardPrefixes } from '../../gift-cards/products/products.ts';
import type { Issuers } from '../../issuers/issuers.types.ts';
import { ISSUER_HOURS, ISSUER_ROWS } from '../../kit/portal-limits.ts';
import { selectIssuerBacklogs, selectIssuerTallies } from './installation.store.ts';
import type { ListedIssuer } from './installation.types.ts';
import { describeIssuer } from './issuers.rules.ts';

/** The issuers of the installation: which numbers each decides on, and how it has answered lately. */
export async function listIssuers({ run }: Transaction, issuers: Issuers): Promise<readonly ListedIssuer[]> {
  const [tallies, backlogs, ownPrefixes] = await Promise.all([
    selectIssuerTallies(run, { hours: ISSUER_HOURS, limit: ISSUER_ROWS }),
    selectIssuerBacklogs(run, ISSUER_ROWS),
    loadGiftCardPrefixes({ run }),
  ]);
  return issuers.all.map((issuer) => describeIssuer(issuer, { tallies, backlogs, ownPrefixes }));
}
