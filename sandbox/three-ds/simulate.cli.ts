import { readFileSync } from 'node:fs';
import { type Command, type CommandRuntime, command, optional, usually } from '../../src/kit/command.ts';
import { Trouble } from '../../src/kit/work/trouble.ts';

type Runtime = Pick<CommandRuntime<never>, 'print'>;

const simulate = command({
  name: 'simulate',
  about: 'run a test directory server and a test bank on this machine until Ctrl-C; they take test cards alone',
  takes: {
    port: usually('<number>', 'where the directory server listens; 0 takes a free one', 9200, readPort),
    bankPort: usually('<number>', "where the bank's pages are; 0 takes a free one", 9201, readPort),
    tlsCert: optional('<file>', "the directory server's certificate (PEM); without it, it is in the clear", textOf),
    tlsKey: optional('<file>', "its certificate's key (PEM)", textOf),
    clientCa: optional(
      '<file>',
      'who has signed the certificates of its clients, and of where results go (PEM)',
      textOf,
    ),
  },
  run: async ({ print }: Runtime, { port, bankPort, tlsCert: cert, tlsKey: key, clientCa }) => {
    const tls = cert === undefined || key === undefined || clientCa === undefined ? undefined : { cert, key, clientCa };
    if (tls === undefined && (cert ?? key ?? clientCa) !== undefined) {
      throw new Trouble('--tls-cert, --tls-key and --client-ca go together.');
    }
    const { startTestThreeDS } = await import('./start-three-ds.ts');
    const started = await startTestThreeDS({ port, bankPort, ...(tls !== undefined && { tls }) });
    const scheme = tls === undefined ? 'http' : 'https';
    print(
      `The test directory server listens on ${scheme}://127.0.0.1:${started.port}/visa and /mastercard, the test bank on ` +
        `http://127.0.0.1:${started.bankPort}. Ctrl-C ends both.`,
    );
  },
});

/** `three-ds …`: a directory server and a bank to test against, which need no database. */
export const threeDSCommands: readonly Command<Runtime>[] = [simulate];

function readPort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Trouble('It is a whole number from 0 to 65535.');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Trouble(`The file ${file} cannot be read.`);
  }
}
