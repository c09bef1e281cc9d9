import { isIP } from 'node:net';
import { inputError, type Refusal } from '../../kit/errors.ts';

/** A host, in brackets where it is an address of IPv6, and perhaps a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::[0-9]{1,5})?$/;

/** Looks at a `Host` header, and says what is wrong with it. */
export type CheckHost = (host: string | undefined) => Refusal | undefined;

/**
 * Makes what refuses requests to a host that is not this service's. A sandbox shows credentials to each user who opens it on
 * this machine. A page of a stranger, open in the same browser, could let its own name lead to this machine and so read what the
 * sandbox answers (DNS rebinding): then the browser sends that name as `Host`. An address cannot be led elsewhere.
 *
 * @param names beside `localhost` and addresses
 */
export function ownHosts(names: readonly string[]): CheckHost {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (host) => {
    // Load balancers ask after health in HTTP/1.0 without one, and no browser does.
    if (host === undefined) return undefined;
    const [, ipv6, name = ''] = HOST.exec(host.toLowerCase()) ?? [];
    const isOwn = ipv6 === undefined ? isIP(name) === 4 || own.has(name.replace(/\.$/, '')) : isIP(ipv6) === 6;
    return isOwn ? undefined : notOurs();
  };
}

function notOurs(): Refusal {
  return inputError(
    'Host',
    'must be localhost, an IP address, or a name that KONTOR_ALLOWED_HOSTS has: a sandbox answers to no other',
  );
}
