import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LogOutput, toReader } from './log-output.ts';

const WAITING = 100;
let read: string[];
/** Takes what was written last: the reader goes on. */
let goOn: (error?: Error) => void;
let output: LogOutput;

beforeEach(() => {
  read = [];
  const reader = new Writable({
    write(text, _encoding, done) {
      read.push(String(text));
      goOn = done;
    },
  });
  reader.on('error', () => undefined);
  output = toReader(reader, WAITING);
});

const settled = () => new Promise(setImmediate);

describe('a reader', () => {
  test('gets lines in their order, one text at a time', async () => {
    output.write('one\n', 1);
    output.write('two\n', 1);
    output.write('three\n', 1);
    expect(read).toEqual(['one\n']);
    goOn();
    await settled();
    expect(read).toEqual(['one\n', 'two\nthree\n']);
    expect(output.dropped()).toBe(0);
  });

  test('that stands still gets no more than may wait: what is beyond is dropped and counted', async () => {
    for (let written = 0; written < 1000; written++) output.write('a line of sixteen\n', 1);
    const kept = Math.floor(WAITING / 'a line of sixteen\n'.length);
    expect(output.dropped()).toBe(1000 - 1 - kept);
    goOn();
    await settled();
    expect(read).toEqual(['a line of sixteen\n', 'a line of sixteen\n'.repeat(kept)]);
    output.write('again\n', 1);
    goOn();
    await settled();
    expect(read.at(-1)).toBe('again\n');
  });

  test('that has gone costs its lines, which are counted', async () => {
    output.write('one\n', 1);
    goOn(new Error('EPIPE'));
    await settled();
    output.write('two\nthree\n', 2);
    await settled();
    expect(output.dropped()).toBe(3);
  });

  test('is waited for no longer than is said', async () => {
    output.write('one\n', 1);
    const began = performance.now();
    await output.flush(20);
    expect(performance.now() - began).toBeLessThan(5_000);
    const flushed = output.flush(60_000);
    goOn();
    await flushed;
    await output.flush(60_000);
  });
});
