import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openImport, splitLines } from './import-file.ts';

const LIMIT = 16 * 1024;

async function* parted(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const size of sizes) {
    yield text.subarray(from, from + size);
    from += size;
  }
  yield text.subarray(from);
}

async function split(text: string, sizes: readonly number[]): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const some of splitLines(parted(Buffer.from(text), sizes))) {
    lines.push(...some.map((line) => line?.toString()));
  }
  return lines;
}

it('finds the same lines wherever the chunks end', async () => {
  const piece = fc.constantFrom('a', 'å🂡', '\n', '\r\n', '\r', '', 'x'.repeat(LIMIT - 1), 'y'.repeat(LIMIT));
  await fc.assert(
    fc.asyncProperty(fc.array(piece), fc.array(fc.nat(2 * LIMIT)), async (pieces, sizes) => {
      const text = pieces.join('');
      const lines = text.split('\n');
      if (lines.at(-1) === '') lines.pop();
      const expected = lines.map((line) => (Buffer.byteLength(line) > LIMIT ? undefined : line.replace(/\r$/, '')));
      expect(await split(text, sizes)).toEqual(expected);
    }),
  );
});

it('keeps nothing of a gigabyte without the end of a line', async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (let chunk = 0; chunk < 4096; chunk++) yield Buffer.alloc(256 * 1024);
    yield Buffer.from('\nlast');
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines: (Buffer | undefined)[] = [];
  for await (const some of splitLines(endless())) lines.push(...some);
  expect(lines.map((line) => line?.toString())).toEqual([undefined, 'last']);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024);
});

it('says what to do where a refused line cannot be written down', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-test-'));
  try {
    const path = join(folder, 'cards.ndjson');
    await writeFile(path, '{}\n');
    const files = await openImport(path);
    for await (const _ of files.lines);
    await files.close();
    await expect(files.reject(['{"line":1}'])).rejects.toMatchObject({
      name: 'Trouble',
      message: expect.stringContaining('cards.ndjson.rejected cannot be written (EBADF). Make room'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
