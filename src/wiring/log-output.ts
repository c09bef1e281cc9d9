import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { destination } from 'pino';

/** Characters that wait while the output takes nothing; what comes beyond is dropped. */
const WAITING_CHARACTERS = 4 * 1024 * 1024;
const STDOUT = 1;

/** Where lines of the log go, many in one text. It never waits for the reader, and never throws. */
export interface LogOutput {
  /** @param lines how many lines the text has */
  write(text: string, lines: number): void;
  /** Waits until all was written, `mostMs` at most: the reader may stand still. */
  flush(mostMs: number): Promise<void>;
  /** The process ends now: writes what can be written at once. */
  end(): void;
  /** Lines that were dropped so far. */
  dropped(): number;
}

/** Opens the standard output for the log. */
export function openLogOutput(): LogOutput {
  const file = fstatSync(STDOUT);
  return file.isFIFO() || file.isSocket() ? toReader(process.stdout) : toFile();
}

/**
 * Writes to a program that reads, which may stand still: a log driver that is stuck, or a terminal multiplexer. Node hands a
 * pipe what it takes and keeps the rest in memory without bound, so one text at a time is given to it, and the rest waits here.
 */
export function toReader(stream: Writable, waitingCharacters = WAITING_CHARACTERS): LogOutput {
  let texts: string[] = [];
  let characters = 0;
  let lines = 0;
  let dropped = 0;
  let isWriting = false;
  const whenWritten: (() => void)[] = [];
  const take = (): readonly [text: string, lines: number] => {
    const taken = [texts.join(''), lines] as const;
    texts = [];
    characters = 0;
    lines = 0;
    return taken;
  };
  const writeNext = (): void => {
    if (isWriting) return;
    if (texts.length === 0) {
      for (const done of whenWritten.splice(0)) done();
      return;
    }
    isWriting = true;
    const [text, own] = take();
    stream.write(text, (error) => {
      isWriting = false;
      if (error) dropped += own;
      writeNext();
    });
  };
  return {
    write(text, own) {
      if (characters + text.length > waitingCharacters) {
        dropped += own;
        return;
      }
      texts.push(text);
      characters += text.length;
      lines += own;
      writeNext();
    },
    async flush(mostMs) {
      if (!isWriting) return;
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, mostMs);
        whenWritten.push(() => {
          clearTimeout(late);
          resolve();
        });
      });
    },
    end() {
      // What Node still has in its hands may be half a line: nothing can be written behind it.
      if (isWriting || texts.length === 0) return;
      try {
        writeSync(STDOUT, take()[0]);
      } catch {
        // The reader takes no more, and no other place is left to tell it.
      }
    },
    dropped: () => dropped,
  };
}

/** Writes to a file or a terminal, in threads of the library's: a disk may be slow, and does not stand still. */
function toFile(): LogOutput {
  let dropped = 0;
  const output = destination({ fd: STDOUT, sync: false, maxLength: WAITING_CHARACTERS });
  // Its disk is full: lines wait, then they are dropped. No payment is refused for that.
  output.on('error', () => undefined);
  output.on('drop', (text: string) => {
    dropped += text.split('\n').length - 1;
  });
  return {
    write: (text) => void output.write(text),
    flush: (mostMs) =>
      new Promise((resolve) => {
        const late = setTimeout(resolve, mostMs);
        output.flush(() => {
          clearTimeout(late);
          resolve();
        });
      }),
    end: () => output.flushSync(),
    dropped: () => dropped,
  };
}
