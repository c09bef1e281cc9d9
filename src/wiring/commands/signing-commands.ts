import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Config, readConfig, readHmacSecret } from '../../config.ts';
import { hmacHeader, type SignedParts } from '../../http/signing/hmac.ts';
import { withoutQuery } from '../../kit/addresses/address.ts';
import { uuidV4 } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { readSandboxFile } from './sandbox-file.ts';
import { readSecret } from './terminal.ts';

interface Options {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly transmissionTime?: string;
  readonly user?: string;
  readonly json?: true;
}

/** Adds `hmac sign`: it needs no database, so it works where the service does not run. */
export function signingCommands(program: Command): void {
  program
    .command('hmac')
    .description('signatures of payment requests, for the Hmac header')
    .command('sign')
    .description('sign a request, and print its headers and a curl line')
    .requiredOption('--method <method>', 'as in POST')
    .requiredOption('--path <path>', 'from its first slash; a query is sent but not signed')
    .option('--body <file>', 'sign the bytes of this file')
    .option('--transmission-time <text>', 'sign a Transmission-Time header too: now, or its exact text')
    .option(
      '--user <user>',
      "the HMAC key (default: the sandbox's); its secret is read from KONTOR_HMAC_SECRET or stdin",
    )
    .option('--json', 'print {"hmac", "transmissionTime", "curl"}')
    .action(sign);
}

async function sign(options: Options): Promise<void> {
  const config = readConfig();
  const sandbox = config.mode === 'sandbox' ? await readSandboxFile(config.dataDir) : undefined;
  if (!/^\/[!-~\u00a1-\uffff]*$/.test(options.path)) {
    throw new Trouble('--path is the path of the request, from its first slash, without blanks and without the host.');
  }
  const body = options.body === undefined ? undefined : await readBody(options.body);
  const { user, secret } = await findKey(options.user, sandbox);
  const transmissionTime = timeOf(options);
  const parts: SignedParts = {
    method: options.method.toUpperCase(),
    path: withoutQuery(options.path),
    user,
    nonce: uuidV4(),
    transmissionTime: transmissionTime ?? '',
    body: body ?? Buffer.alloc(0),
  };
  const hmac = hmacHeader(secret.reveal(), parts);
  const headers = { Hmac: hmac, ...(transmissionTime !== undefined && { 'Transmission-Time': transmissionTime }) };
  const curl = curlLine(`${baseUrlOf(config, sandbox)}${options.path}`, { ...options, method: parts.method, headers });
  if (options.json) return print(JSON.stringify({ hmac, transmissionTime, curl }));
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`);
  print(`\n${curl}`);
}

function timeOf({ transmissionTime }: Options): string | undefined {
  return transmissionTime === 'now' ? new Date().toISOString() : transmissionTime;
}

async function readBody(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`The body ${path} cannot be read (${error.code}).`);
  });
}

type SandboxFile = Awaited<ReturnType<typeof readSandboxFile>>;

/** Who signs. The secret never comes from a flag, which every process on the machine could read. */
async function findKey(user: string | undefined, sandbox: SandboxFile): Promise<{ user: string; secret: Secret }> {
  const { user: sandboxUser, secret: sandboxSecret } = (sandbox?.['hmac'] ?? {}) as Record<string, unknown>;
  const given = readHmacSecret();
  if (user === undefined || (user === sandboxUser && given === undefined)) {
    if (given !== undefined) throw new Trouble('KONTOR_HMAC_SECRET is set: say with --user which key it belongs to.');
    if (typeof sandboxUser === 'string' && typeof sandboxSecret === 'string') {
      return { user: sandboxUser, secret: new Secret(sandboxSecret) };
    }
    throw new Trouble(
      'There is no sandbox.json with an HMAC key in the data directory. Start the sandbox once, or name a key with ' +
        '--user and give its secret in KONTOR_HMAC_SECRET or on the standard input.',
    );
  }
  const secret = given === undefined ? await readSecret('Secret') : new Secret(given);
  if (secret.reveal() === '') throw new Trouble('The secret is empty: give it in KONTOR_HMAC_SECRET or on stdin.');
  return { user, secret };
}

function baseUrlOf(config: Config, sandbox: SandboxFile): string {
  const known = sandbox?.['baseUrl'];
  return config.publicUrl ?? (typeof known === 'string' ? known : `http://${config.host}:${config.port}`);
}

function curlLine(
  url: string,
  { method, headers, body }: Options & { headers: Readonly<Record<string, string>> },
): string {
  const more = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  // --path-as-is: curl would tidy the path, and another path is another signature.
  return [
    `curl --path-as-is -X ${quoted(method)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...lines,
    ...(body === undefined ? [] : [`--data-binary ${quoted(`@${body}`)}`]),
    quoted(url),
  ].join(' ');
}

/** One word for a shell, whatever it holds. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
