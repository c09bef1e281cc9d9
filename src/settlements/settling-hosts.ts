import { ISO93 } from '../iso8583/dialects/iso93.rules.ts';
import type { Link } from '../iso8583/link/link.types.ts';
import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import type { SettlingHosts } from './settlements.types.ts';

/** What settlement reaches acquirers by. */
export interface HostsParts {
  /** Read when it is asked for; undefined where no acquirer is configured. */
  readonly setup: () => AcquirersSetup | undefined;
  /** The lines of this process to an acquirer; undefined where it has none. */
  readonly link: (acquirerId: string) => Pick<Link, 'ask'> | undefined;
  readonly newExchange: SettlingHosts['newExchange'];
}

/** The acquirers of this installation, as settlement looks at them. */
export function settlingHosts({ setup, link, newExchange }: HostsParts): SettlingHosts {
  let byMerchantId: Map<string, AcquirersSetup['agreements'][number][]> | undefined;
  const agreements = () => setup()?.agreements ?? [];
  const known = () => {
    if (byMerchantId !== undefined) return byMerchantId;
    byMerchantId = new Map();
    for (const one of agreements()) {
      const name = `${one.acquirer} ${one.merchantId}`;
      byMerchantId.set(name, [...(byMerchantId.get(name) ?? []), one]);
    }
    return byMerchantId;
  };
  return {
    get acquirers() {
      return setup()?.acquirers ?? [];
    },
    agreement: (payeeId, id) => agreements().find((one) => one.payeeId === payeeId && one.id === id),
    withMerchantId: (acquirerId, merchantId) => known().get(`${acquirerId} ${merchantId}`) ?? [],
    dialect: (acquirerId) => setup()?.dialects.get(acquirerId) ?? ISO93,
    link,
    newExchange,
  };
}
