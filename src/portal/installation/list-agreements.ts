import type { Read } from '../../db/transaction.types.ts';
import type { Agreement } from '../../issuers/acquirers/acquirers.types.ts';
import { inputError } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { readLimit } from '../newest-first.rules.ts';
import { describeAgreement } from './acquirers.rules.ts';
import { selectPayeeNames } from './acquirers.store.ts';
import type { ListedAgreement } from './acquirers.wire.ts';

/** A list of agreements as a request asks for it. */
export interface AskedAgreements {
  readonly payeeId?: string | undefined;
  /** The id of the agreement that the page before ended with. */
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/**
 * A page of the agreements of all payees, or of one, in the order of their ids. They are in memory: there are 20 000 at
 * most.
 *
 * @throws Refusal `inputerror`
 */
export async function listAgreements(
  read: Read,
  all: readonly Agreement[],
  { payeeId, cursor = '', limit: asked }: AskedAgreements,
): Promise<{ readonly agreements: readonly ListedAgreement[]; readonly next: string | null }> {
  const limit = readLimit(asked);
  if (payeeId !== undefined && !isUuid(payeeId)) throw inputError('payeeId', 'must be the id of a payee');
  const found = all
    .filter((agreement) => agreement.id > cursor && (payeeId === undefined || agreement.payeeId === payeeId))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const page = found.slice(0, limit);
  const names = await selectPayeeNames(read, [...new Set(page.map((agreement) => agreement.payeeId))]);
  return {
    agreements: page.map((agreement) => describeAgreement(agreement, names.get(agreement.payeeId))),
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
