import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { createHmacKey } from '../../../src/merchants/hmac-keys/hmac-keys.ts';
import type { Service } from '../../../src/wiring/service.ts';
import type { SigningCredentials } from '../service.ts';

/** Makes a further HMAC key of a payee. */
export async function addHmacKey(service: Service, payeeId: PayeeId): Promise<SigningCredentials> {
  const { user, secret } = await service.database.transact((transaction) =>
    createHmacKey(transaction, service.merchants, { payeeId, actor: COMMAND_LINE }),
  );
  return { user, secret: secret.reveal() };
}

/** What a program did. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with nothing of the machine's settings and something to read. */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: {
    readonly folder: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly input?: string;
  },
): Promise<Outcome> {
  const { folder, environment, input = '' } = options;
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment };
  const child = spawn(program, args, { cwd: folder, env });
  child.stdin.on('error', () => undefined).end(input);
  const status = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, stdout, stderr };
}
