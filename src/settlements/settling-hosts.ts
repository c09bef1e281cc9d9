import { ISO93 } from '../iso8583/dialects/iso93.rules.ts';
import type { Link } from '../iso8583/link/link.types.ts';
import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import type { Asker } from '../issuers/issuers.types.ts';
import { groupBy } from '../kit/group-by.ts';
import type { SettlingHosts } from './settlements.types.ts';

/** What settlement reaches acquirers by. */
export interface HostsParts {
  /** Undefined in a sandbox: nothing of its test acquirer is settled. */
  readonly setup: AcquirersSetup | undefined;
  /** The lines of this process to an acquirer; undefined where it has none. */
  readonly link: (acquirerId: string) => Pick<Link, 'ask'> | undefined;
  readonly newExchange: Asker['newExchange'];
}

const NO_ACQUIRERS: Pick<AcquirersSetup, 'acquirers' | 'agreements' | 'dialects'> = {
  acquirers: [],
  agreements: [],
  dialects: new Map(),
};

/** The acquirers of this installation, as settlement looks at them. */
export function settlingHosts({ setup, link, newExchange }: HostsParts): SettlingHosts {
  const { acquirers, agreements, dialects } = setup ?? NO_ACQUIRERS;
  const byId = new Map(agreements.map((one) => [one.id, one]));
  const byMerchantId = groupBy(agreements, ({ acquirer, merchantId }) => `${acquirer} ${merchantId}`);
  return {
    acquirers,
    agreement(payeeId, id) {
      const found = byId.get(id);
      return found?.payeeId === payeeId ? found : undefined;
    },
    withMerchantId: (acquirerId, merchantId) => byMerchantId.get(`${acquirerId} ${merchantId}`) ?? [],
    acquirersOf(payeeId) {
      const own = new Set(agreements.filter((one) => one.payeeId === payeeId).map(({ acquirer }) => acquirer));
      return acquirers.filter(({ id }) => own.has(id));
    },
    dialect: (acquirerId) => dialects.get(acquirerId) ?? ISO93,
    link,
    // The totals of a day are of all terminals, and name none.
    newExchange: (agreement) =>
      newExchange(agreement, { terminalId: agreement.terminalIds[0] ?? '', retrievalReference: '' }),
  };
}
