import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '../support/database/embedded.ts';
import { freePort, isListening } from '../support/ports.ts';
import { tlsFiles } from '../support/tls-files.ts';
import { until } from '../support/until.ts';

// Proxies that operators run, started with the files in examples/proxy. The programs come with no package of ours.

const EXAMPLES = join(CHECKOUT, 'examples/proxy');

/** The example of each proxy. */
const FILES = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf' } as const;

export type ProxyName = keyof typeof FILES;

/** A running proxy that speaks TLS with a certificate of its own. */
export interface ProxyProgram {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Whether the program is on this machine. */
export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, ['-v'], { env: PATHS }).status === 0;
}

/** Where systems keep programs for operators, which the PATH of a user may lack. */
const PATHS = { PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` };

/**
 * Starts a proxy with its example, in front of instances on these ports of this machine.
 *
 * @param others replacements beside the addresses and paths that an operator replaces
 */
export async function startProxy(
  name: ProxyName,
  instances: readonly [number, number],
  others: readonly (readonly [string, string])[] = [],
): Promise<ProxyProgram> {
  const folder = await mkdtemp(join(tmpdir(), `kontor-${name}-`));
  const port = await freePort();
  const tls = tlsFiles();
  const { certFile, keyFile } = tls.of('ecdsa');
  const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  await writeFile(join(folder, 'pay.pem'), `${certificate}\n${key}`, { mode: 0o600 });
  await writeFile(join(folder, 'pay.key'), key, { mode: 0o600 });
  tls.remove();
  const example = await readFile(join(EXAMPLES, FILES[name]), 'utf8');
  const replaced = (
    [
      ['10.0.0.21:8080', `127.0.0.1:${instances[0]}`],
      ['10.0.0.22:8080', `127.0.0.1:${instances[1]}`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['listen 443', `listen 127.0.0.1:${port}`],
      ['/etc/haproxy/kontor/', `${EXAMPLES}/`],
      ['/etc/haproxy/', `${folder}/`],
      ['/etc/nginx/', `${folder}/`],
      ...others,
    ] as const
  ).reduce((text, [from, to]) => text.replaceAll(from, to), example);
  const file = join(folder, 'proxy.conf');
  await writeFile(file, name === 'nginx' ? wholeNginx(folder, replaced) : replaced);
  const child = spawn(name, name === 'nginx' ? ['-c', file, '-p', folder] : ['-db', '-f', file], {
    env: PATHS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  await until(async () => child.exitCode !== null || (await isListening(port)));
  if (child.exitCode !== null) throw new Error(`${name} does not take its example:\n${Buffer.concat(said)}`);
  return { origin: `https://127.0.0.1:${port}`, stop: () => stop(child, folder) };
}

/** The example is a part of a whole configuration, which the system's package brings. */
function wholeNginx(folder: string, example: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    error_log stderr crit;
    events {}
    http {
      access_log off;
      ${temporary.map((use) => `${use}_temp_path ${folder}/${use};`).join('\n')}
      ${example}
    }`;
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
