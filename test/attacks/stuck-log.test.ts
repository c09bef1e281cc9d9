import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installSandbox } from '../support/kontor.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { whileOthersAsk } from '../support/prober/attack.ts';

let kontor: Awaited<ReturnType<typeof installSandbox>>;
let baseUrl: string;
beforeAll(async () => {
  // A reader that never reads.
  const program = ['/bin/sh', '-c', `"${process.execPath}" "$PWD/dist/main.js" serve | sleep 100000`] as const;
  kontor = await installSandbox({}, program);
  ({ baseUrl } = await kontor.ready());
}, 120_000);
afterAll(() => kontor.remove());

/** More lines of the log than a pipe takes; in a long run more than may wait, too. */
const REQUESTS = IS_LONG_RUN ? 40_000 : 1_000;
const ROOM_MB = 60;

const serviceId = () =>
  Number(
    kontor
      .processes()
      .find((line) => !line.includes('/bin/sh'))
      ?.trim()
      .split(' ')[0],
  );
const residentMb = () => {
  const [, kb = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${serviceId()}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
};
const droppedLines = async () => {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^kontor_log_dropped_lines_total (\d+)$/m.exec(metrics)?.[1]);
};

async function ask(times: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`${baseUrl}/nowhere`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject);
    });
  for (let asked = 0; asked < times; asked += 100) await Promise.all(Array.from({ length: 100 }, one));
  agent.destroy();
}

describe('a log whose reader stands still', () => {
  test.runIf(process.platform === 'linux')(
    'takes no room without bound, and does not keep the service from ending',
    async () => {
      await ask(1_000);
      expect(await droppedLines()).toBe(0);
      const before = residentMb();
      await whileOthersAsk([{ url: `${baseUrl}/health/live` }], () => ask(REQUESTS));
      if (IS_LONG_RUN) {
        expect(await droppedLines()).toBeGreaterThan(0);
        expect(residentMb() - before).toBeLessThan(ROOM_MB);
      }
      process.kill(serviceId(), 'SIGTERM');
      await expect
        .poll(() => kontor.processes().filter((line) => !line.includes('/bin/sh')), { timeout: 25_000 })
        .toEqual([]);
    },
  );
});
