import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kontorProgram } from '../src/program.ts';
import { type Acquiring, acquiring } from './support/issuer/acquiring.ts';
import type { Started } from './support/kontor.ts';
import { until } from './support/until.ts';

let kontor: Acquiring;
let service: Started;
let baseUrl: string;
let printed = '';
beforeAll(async () => {
  kontor = await acquiring();
  ({ baseUrl, started: service } = await kontor.serve('--processes', '2'));
  service.process.stdout?.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
}, 120_000);
afterAll(() => kontor.remove());

/** The processes that a process has started. */
function childrenOf(parent: number | undefined): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, program]) => Number(ppid) === parent && program !== 'ps')
    .map(([pid]) => Number(pid));
}

/** Asks over a connection of its own: each goes to the process whose turn it is. */
function ask(path: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(`${baseUrl}${path}`, { agent: false }, (answer) => {
      let text = '';
      answer.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    asking.on('error', reject).end();
  });
}

async function readyTimes(times: number): Promise<readonly (number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  for (let asked = 0; asked < times; asked++) statuses.push((await ask('/health/ready')).status);
  return statuses;
}

const metric = (text: string, beginning: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(beginning));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
};

describe('processes that serve together', () => {
  test('share a port, and tell their metrics as one', async () => {
    await until(() => childrenOf(service.process.pid).length === 2);
    const before = metric((await ask('/metrics')).text, READY) ?? 0;
    expect(new Set(await readyTimes(20))).toEqual(new Set([200]));
    const { text } = await ask('/metrics');
    expect((metric(text, READY) ?? 0) - before).toBe(20);
    // Of the database all know the same, which is not added up.
    expect(metric(text, 'kontor_webhooks_suspended')).toBe(0);
  });

  test('lose one without harm, and get another', async () => {
    const [first] = childrenOf(service.process.pid);
    process.kill(first ?? 0, 'SIGKILL');
    await until(() => printed.includes('A process has ended (SIGKILL). Another one takes its place.'));
    expect(new Set(await readyTimes(6))).toEqual(new Set([200]));
    await until(
      () => childrenOf(service.process.pid).length === 2 && !childrenOf(service.process.pid).includes(first ?? 0),
      30_000,
    );
  });

  test('end together', async () => {
    const pids = childrenOf(service.process.pid);
    service.process.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0, stderr: '' });
    for (const line of printed.trim().split('\n'))
      expect(JSON.parse(line), line).toMatchObject({ msg: expect.any(String) });
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

const READY = 'kontor_http_request_duration_seconds_count{method="GET",route="/health/ready",status="200"}';

const COUNT = 'It is a number from 1 to 128.';

describe('a start is refused', () => {
  // By what reads the option: no process of its own for each.
  test.each(['0', '129', '128.5', '-1', 'all', ''])('of %j processes', async (count) => {
    const program = await kontorProgram(['serve'], () => undefined);
    for (const command of [program, ...program.commands]) command.configureOutput({ writeErr: () => undefined });
    const parsing = program.parseAsync(['serve', '--processes', count], { from: 'user' });
    await expect(parsing).rejects.toThrow(COUNT);
  });

  test.each([
    ['of a sandbox', { KONTOR_MODE: 'sandbox' }, 'A sandbox is one process'],
    ['with an embedded database', { KONTOR_DATABASE_URL: 'embedded' }, 'need a database beside'],
  ])('%s', async (_name, settings, complaint) => {
    const refused = await kontor.installation.refusedStart(settings, ['--processes', '2']);
    expect(refused.status).toBe(1);
    expect(refused.stderr.split(complaint)).toHaveLength(2);
  });

  test('whose first process does not come up', async () => {
    const settings = { KONTOR_KEY_FILE: 'none.json' };
    const refused = await kontor.installation.kontor(['serve', '--processes', '2'], settings);
    expect(refused.status).toBe(1);
    expect(refused.stderr.split('key ring')).toHaveLength(2);
  });
});
