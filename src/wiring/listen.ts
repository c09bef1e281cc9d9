import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { Trouble } from '../kit/work/trouble.ts';

/**
 * Begins to listen, on the port of the service and on that of its metrics where they have one.
 *
 * @throws Trouble that says which setting to change
 */
export async function listen(app: FastifyInstance, metrics: Server | undefined, config: Config): Promise<void> {
  const { port, metricsPort } = config;
  // For that name Fastify makes a second server, without the limits of the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  await orTrouble('KONTOR_PORT', { host, port }, () => app.listen({ host, port }));
  if (metrics === undefined || metricsPort === undefined) return;
  await orTrouble('KONTOR_METRICS_PORT', { host, port: metricsPort }, () => {
    metrics.listen(metricsPort, host);
    return once(metrics, 'listening');
  });
}

/**
 * Where the service is reached if no setting says so: where it listens; a wildcard address is reached by this machine's
 * name.
 */
export function addressOf(app: FastifyInstance, { host, tls }: Config): string {
  const { port } = app.server.address() as AddressInfo;
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `${tls === undefined ? 'http' : 'https'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function orTrouble(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
  begin: () => Promise<unknown>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Trouble(`Port ${port} on ${host} is taken. Stop what uses it, or set ${setting} (0 is any free port).`);
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new Trouble(
        `This process may not listen on ${host}, port ${port} (${code}). Set KONTOR_HOST or ${setting}.`,
      );
    }
    throw error;
  }
}
