import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { builtCommand, settingsOf } from '../support/shop/tokens-command.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';

const LINES = 1_000_000;
/** Most that the command may hold in memory, and most that it may grow by after its first tenth. */
const RESIDENT_MIB = 240;
const GROWTH_MIB = 40;

let kontor: TestService;
let folder: string;
beforeAll(async () => {
  kontor = await testService();
  folder = await mkdtemp('/tmp/kontor-import-');
});
afterAll(async () => {
  await kontor.stop();
  await rm(folder, { recursive: true });
});

it(`imports ${LINES} lines in flat memory`, async () => {
  const path = join(folder, 'tokens.ndjson');
  await pipeline(Readable.from(chunksOfLines()), createWriteStream(path));
  const env = { PATH: process.env['PATH'], ...settingsOf(kontor) };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [builtCommand(), 'tokens', 'import', path, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const summary = text(child.stdout);
  const ended = once(child, 'exit');
  const resident = await watchMemory(child.pid ?? 0, () => child.exitCode !== null);
  await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  expect(JSON.parse(await summary)).toEqual({ lines: LINES, imported: LINES, unchanged: 0, rejected: 0 });
  const early = Math.max(...resident.slice(0, Math.ceil(resident.length / 10)));
  const most = Math.max(...resident);
  // How fast it is depends on what else the machine does: `npm run bench` tells.
  process.stdout.write(`${Math.round(LINES / seconds)} lines a second, at most ${Math.round(most)} MiB resident\n`);
  expect(most).toBeLessThan(RESIDENT_MIB);
  expect(most - early).toBeLessThan(GROWTH_MIB);
});

function* chunksOfLines(): Generator<string> {
  const linesInChunk = 1000;
  for (let from = 0; from < LINES; from += linesInChunk) {
    const lines = Array.from({ length: linesInChunk }, (_, offset) => {
      const index = from + offset;
      return JSON.stringify(cardLine(index, { payerReference: `payer-${index % 200_000}` }));
    });
    yield `${lines.join('\n')}\n`;
  }
}

/** MiB that a process holds, looked at twice a second until it is over. */
async function watchMemory(processId: number, isOver: () => boolean): Promise<number[]> {
  const resident: number[] = [];
  while (!isOver()) {
    const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    if (kibibytes !== undefined) resident.push(Number(kibibytes) / 1024);
    await pause(500);
  }
  return resident;
}
