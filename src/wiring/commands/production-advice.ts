import type { Config } from '../../config.ts';
import { wayTo } from '../../db/server/connection.ts';
import { isLoopback } from '../../kit/addresses/network.ts';
import { networksTell } from '../../kit/addresses/networks.ts';

/**
 * What in the settings and in this process makes production less safe than it should be, without being a reason not to
 * start: one sentence each, with the remedy. Empty in the sandbox.
 */
export function productionAdvice(config: Config): readonly string[] {
  if (config.mode !== 'production') return [];
  return [...addressAdvice(config), ...proxyAdvice(config), ...databaseAdvice(config), ...memoryAdvice(config)];
}

function addressAdvice({ host, publicUrl }: Config): readonly string[] {
  if (publicUrl === undefined || isLoopback(host)) return [];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return ['KONTOR_PUBLIC_URL begins with http: every link leads callers to clear text. Write https.'];
}

/** Twenty wrong secrets of one caller would refuse the right ones of all. */
function proxyAdvice(config: Config): readonly string[] {
  if (networksTell(config)) return [];
  return [
    'KONTOR_TLS_TERMINATED says that a proxy is in front of this process, and KONTOR_TRUSTED_PROXIES names none: all ' +
      'callers have the address of the proxy, so that a lock-out of one is one of all. Name the addresses of the proxy.',
  ];
}

/** A machine on the way to the database could read and change what it answers (PCI DSS 4.0.1, 4.2.1). */
function databaseAdvice({ databaseUrl }: Config): readonly string[] {
  if (databaseUrl === undefined) return [];
  const { host, isVerified } = wayTo(databaseUrl);
  if (isVerified || host.startsWith('/') || isLoopback(host)) return [];
  return [
    'KONTOR_DATABASE_URL leads to another machine without sslmode=verify-full: ' +
      'so another machine could answer in its place. Add it, and sslrootcert=FILE for a CA of your own.',
  ];
}

/** Keys and, for moments, card data lie in it (PCI DSS 4.0.1, 3.5.1). */
function memoryAdvice({ allowsMemoryDumps }: Config): readonly string[] {
  return allowsMemoryDumps ? ['KONTOR_ALLOW_MEMORY_DUMPS lets the memory of this process be read. Take it out.'] : [];
}
