import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';

const USUAL_COLUMNS = 80;

/** Shows one line of progress on a terminal, in place of the one before; elsewhere nothing. Undefined removes it. */
export function showProgress(text: string | undefined): void {
  if (!process.stderr.isTTY) return;
  // A terminal that does not know its width says 0.
  const columns = process.stderr.columns || USUAL_COLUMNS;
  process.stderr.write(`\r\u001b[K${(text ?? '').slice(0, columns - 1)}`);
}

/** A secret from the standard input: typed unseen on a terminal, else the first line of what is piped in. */
export async function readSecret(question: string): Promise<Secret> {
  if (process.stdin.isTTY) return askUnseen(question);
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return new Secret(line);
  }
  return new Secret('');
}

/**
 * Asks for a text that does not appear while it is typed.
 *
 * @throws Trouble where there is no terminal to type it at
 */
export async function askUnseen(question: string): Promise<Secret> {
  if (!process.stdin.isTTY) {
    throw new Trouble('A passphrase is needed: set KONTOR_PASSPHRASE, or run this on a terminal.');
  }
  process.stderr.write(`${question}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.question('', (answer) => resolve(new Secret(answer)));
      lines.once('SIGINT', () => reject(new Trouble('Nothing was entered.')));
      lines.once('close', () => reject(new Trouble('Nothing was entered.')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
