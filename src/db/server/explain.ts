import { Trouble } from '../../kit/work/trouble.ts';
import { ConnectionLost, StatementFailed } from './failures.ts';
import { POOLED } from './pooler.ts';

// What an operator is told who starts the service or a command: why the database cannot be used, and what to do.

const OWNER =
  'For kontor migrate, set KONTOR_DATABASE_OWNER_URL to an address with the role that owns the tables. ' +
  'If kontor migrate has run and this stays, grant the role USAGE on the schema public.';

/** By SQLSTATE of PostgreSQL (its manual, appendix A), by code of Node's sockets and of OpenSSL. */
const CAUSES: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(26000|42P05)$/, POOLED],
  [
    /^25006$/,
    'The database takes no changes: default_transaction_read_only is on for it or for the role, or the server is a standby. ' +
      'Turn the setting off, or connect to the primary.',
  ],
  [
    /^28P01$/,
    'PostgreSQL refuses the user or the password in the address. Correct the address, or the password of the role.',
  ],
  [/^28000$/, 'PostgreSQL does not let this user in from here. Look at the role and at pg_hba.conf.'],
  [
    /^3D000$/,
    'There is no database of this name: is the name in the address right? A new one is made with: ' +
      "create database NAME encoding 'UTF8' template template0.",
  ],
  [
    /^53300$/,
    'PostgreSQL has no connection left. Raise max_connections or the limit of the role, or stop what holds connections.',
  ],
  [
    /^53100$/,
    'The disk of PostgreSQL is full. Make room there, then run this again: of what failed nothing is stored.',
  ],
  [/^42704$/, 'A role in an address does not exist. Create the roles that docs/operating/database.md names.'],
  [/^42501$/, `The role in the address may not do what is needed. ${OWNER}`],
  [/^57P0/, 'PostgreSQL is starting or stopping. Try again when it is ready.'],
  [
    /^ECONNREFUSED$/,
    'Nothing listens at the host and port of the address. Is PostgreSQL running, and is its address right?',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'The host in the address is unknown here. Look at its name and at the resolver of this machine.',
  ],
  [
    /^ENOENT$/,
    'There is no socket in the folder that the address names. Is PostgreSQL running, and is its address right?',
  ],
  [/^(EACCES|EPERM)$/, 'The user who runs Kontor may not open the socket of the address.'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'The host of the address does not answer. Look at the network between here and there.',
  ],
  [
    /CERT|^(UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS)/,
    'The certificate of PostgreSQL is not trusted, or is for another host. Name its authority with sslrootcert=FILE, and the host ' +
      'as the certificate names it.',
  ],
];

const BY_MESSAGE: readonly (readonly [message: RegExp, words: string])[] = [
  [/server is a standby/, 'The server is a standby, which takes no changes. Connect to the primary.'],
  [/does not support SSL/, 'The server speaks no TLS. Turn ssl on there; on this machine, sslmode=disable does.'],
  [/timeout|no answer in time/, 'The database does not answer in time. Look at its load and at the network.'],
];

/**
 * A caller of the API learns only that the database is away; the operator who starts the service or a command can put it right,
 * and learns why.
 *
 * @throws Trouble in place of an error of the database
 */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const words = error instanceof Trouble ? undefined : explainDatabase(error);
    throw words === undefined ? error : new Trouble(words, { cause: error });
  }
}

/** @returns undefined for an error that is not of the database */
function explainDatabase(error: unknown): string | undefined {
  const chain = causesOf(error);
  const first = chain.find((cause) => cause instanceof ConnectionLost || cause instanceof StatementFailed);
  if (first === undefined) return undefined;
  const messages = chain.map(({ message }) => message);
  const found = firstOf(CAUSES, chain.map(codeOf)) ?? firstOf(BY_MESSAGE, messages);
  if (found === undefined && first instanceof StatementFailed) return undefined;
  return `${found ?? 'Is PostgreSQL running, and is its address right?'} (${first.message})`;
}

function firstOf(table: typeof CAUSES, texts: readonly string[]): string | undefined {
  return table.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

function codeOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** An error with what caused it, and with those that it stands for: one for each address of a host. */
function causesOf(error: unknown): readonly Error[] {
  if (!(error instanceof Error)) return [];
  const parts = error instanceof AggregateError ? error.errors : [];
  return [error, ...parts.flatMap(causesOf), ...causesOf(error.cause)];
}
