import { readFile } from 'node:fs/promises';
import { type Config, readConfig, readHmacSecret } from '../../config.ts';
import { hmacHeader } from '../../http/signing/hmac.ts';
import { withoutQuery } from '../../kit/addresses/address.ts';
import { type Command, type CommandRuntime, command, type Given, needed, optional } from '../../kit/command.ts';
import { uuidV4 } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { readSandbox } from './read-sandbox.ts';
import { readSecret } from './terminal.ts';

type Runtime = Pick<CommandRuntime<never>, 'print'>;

const TAKES = {
  method: needed('<method>', 'as in POST'),
  path: needed('<path>', 'from its first slash; a query is sent but not signed', (path) => {
    if (/^\/[!-~\u00a1-\uffff]*$/.test(path)) return path;
    throw new Trouble('It is the path of the request, from its first slash, without blanks and without the host.');
  }),
  body: optional('<file>', 'sign the bytes of this file'),
  transmissionTime: optional('<text>', 'sign a Transmission-Time header too: now, or its exact text'),
  user: optional(
    '<user>',
    "the HMAC key (default: the sandbox's); its secret is read from KONTOR_HMAC_SECRET or stdin",
  ),
};

type Options = Given<typeof TAKES>;

const sign = command({
  name: 'sign',
  about: 'sign a request, and print its headers and a curl line',
  takes: TAKES,
  json: 'print {"hmac", "transmissionTime", "curl"}',
  run: async (_: Runtime, given) => {
    const config = readConfig();
    const sandbox = await readSandbox(config);
    const body = given.body === undefined ? undefined : await readBody(given.body);
    const { user, secret } = await findKey(given.user, sandbox);
    const transmissionTime = timeOf(given);
    const method = given.method.toUpperCase();
    const hmac = hmacHeader(secret.reveal(), {
      method,
      path: withoutQuery(given.path),
      user,
      nonce: uuidV4(),
      transmissionTime: transmissionTime ?? '',
      body: body ?? Buffer.alloc(0),
    });
    const headers = { Hmac: hmac, ...(transmissionTime !== undefined && { 'Transmission-Time': transmissionTime }) };
    const curl = curlLine(`${baseUrlOf(config, sandbox)}${given.path}`, { body: given.body, method, headers });
    return { hmac, transmissionTime, curl, headers };
  },
  asJson: ({ headers: _, ...signed }) => signed,
  show: ({ headers, curl }) => [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), `\n${curl}`],
});

/** `hmac …`: it needs no database, so it works where the service does not run. */
export const signingCommands: readonly Command<Runtime>[] = [sign];

function timeOf({ transmissionTime }: Options): string | undefined {
  return transmissionTime === 'now' ? new Date().toISOString() : transmissionTime;
}

async function readBody(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`The body ${path} cannot be read (${error.code}).`);
  });
}

type SandboxFile = Awaited<ReturnType<typeof readSandbox>>;

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
  { method, headers, body }: Pick<Options, 'method' | 'body'> & { readonly headers: Readonly<Record<string, string>> },
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
