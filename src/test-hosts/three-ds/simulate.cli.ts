import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Trouble } from '../../kit/work/trouble.ts';
import { startTestThreeDS, type TestThreeDSOptions } from './start-three-ds.ts';

interface Options {
  readonly port: string;
  readonly bankPort: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
}

/** Adds the commands about 3-D Secure: a directory server and a bank to test against, which need no database. */
export function threeDSCommands(program: Command, print: (text: string) => void): void {
  program
    .command('three-ds')
    .description('3-D Secure: how payers are authenticated')
    .command('simulate')
    .description('run a test directory server and a test bank on this machine until Ctrl-C; they take test cards alone')
    .option('--port <number>', 'where the directory server listens; 0 takes a free one', '9200')
    .option('--bank-port <number>', "where the bank's pages are; 0 takes a free one", '9201')
    .option('--tls-cert <file>', "the directory server's certificate (PEM); without it, it is in the clear")
    .option('--tls-key <file>', "its certificate's key (PEM)")
    .option('--client-ca <file>', 'who has signed the certificates of its clients, and of where results go (PEM)')
    .action(async (options: Options) => {
      const { port, bankPort } = await startTestThreeDS(optionsOf(options));
      const scheme = options.tlsCert === undefined ? 'http' : 'https';
      print(
        `The test directory server listens on ${scheme}://127.0.0.1:${port}/visa and /mastercard, the test bank on ` +
          `http://127.0.0.1:${bankPort}. Ctrl-C ends both.`,
      );
    });
}

function optionsOf({ port, bankPort, tlsCert, tlsKey, clientCa }: Options): TestThreeDSOptions {
  const ports = { port: portOf('--port', port), bankPort: portOf('--bank-port', bankPort) };
  const files = [tlsCert, tlsKey, clientCa].filter((file) => file !== undefined);
  if (files.length === 0) return ports;
  if (tlsCert === undefined || tlsKey === undefined || clientCa === undefined) {
    throw new Trouble('--tls-cert, --tls-key and --client-ca go together.');
  }
  return { ...ports, tls: { cert: textOf(tlsCert), key: textOf(tlsKey), clientCa: textOf(clientCa) } };
}

function portOf(option: string, text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Trouble(`${option} is a whole number from 0 to 65535.`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Trouble(`The file ${file} cannot be read.`);
  }
}
