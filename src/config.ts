import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { namesUser, parseAddress } from './kit/addresses/address.ts';
import { databaseAddressFault } from './kit/addresses/database-address.ts';
import { type Networks, readNetworks } from './kit/addresses/networks.ts';
import { type GivingLimits, readLimits } from './kit/giving-limits.ts';
import { readGlobalNames } from './kit/global-names.ts';
import { PACKAGE_FOLDER } from './kit/package-folder.ts';
import { BadSetting, oneOf, truth, wholeNumber } from './kit/settings/setting-values.ts';
import { readSettings, type SettingsFile } from './kit/settings/settings-file.ts';
import { withoutEnding } from './kit/work/without-ending.ts';

/** Commands in one batch of money at most: the next ones gather while it is written, so a larger one makes all wait. */
const BATCH_COMMANDS = 256;

/** The settings of one process: read from the environment once, checked, frozen. */
export interface Config {
  readonly mode: 'sandbox' | 'production';
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  /** Base of every href, without a trailing slash; undefined: made from host and port once the port is known. */
  readonly publicUrl: string | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  /** For migrations, where another role than the service's owns the tables. */
  readonly databaseOwnerUrl: string | undefined;
  readonly tlsTerminated: boolean;
  /** Whether the memory of a production process may be written to files and read by a debugger: to look for a fault. */
  readonly allowsMemoryDumps: boolean;
  /** Proxies that are believed about who sent a request. */
  readonly trustedProxies: Networks;
  /** Names that a sandbox answers to beside `localhost` and addresses: those that are named, and that of the public address. */
  readonly allowedHosts: readonly string[];
  /** Further global names of what the view script defines. */
  readonly viewGlobals: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Where acquirers are configured, as an absolute path. A sandbox has an acquirer of its own, and reads none. */
  readonly acquirersFile: { readonly path: string; readonly isNamed: boolean } | undefined;
  /** Absolute path of the key ring. */
  readonly keyFile: string;
  /** Absolute path of what holds the passphrase of the key ring; undefined: the ring lies in the clear. */
  readonly keyPassphraseFile: string | undefined;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Bearer token for /metrics; without one production answers it on loopback only. */
  readonly metricsToken: string | undefined;
  /** Where /metrics is in place of the service's own port; 0 is any free one, undefined: it has none of its own. */
  readonly metricsPort: number | undefined;
  /** Requests per minute and credential; 0 is no limit. */
  readonly requestsPerMinute: number;
  /** Requests to payers' pages per minute and network; 0 is no limit. */
  readonly pagesPerMinute: number;
  /** Requests to sign in, or for an OAuth token, per minute and network; 0 is no limit. */
  readonly signInsPerMinute: number;
  /** Days without a sign-in after which a user of the portal is disabled; 0: never. A sandbox may lie unused for months. */
  readonly portalIdleDays: number;
  /** Days after the end of a payment for which it is known where it came from; 0: for ever. */
  readonly circumstancesDays: number;
  /** Failed credentials per minute and address; 0 is no limit. */
  readonly failuresPerMinute: number;
  /** Commands of money that are committed together at most; 1 is a transaction for each. */
  readonly batchMax: number;
  /** Hours for which the calls of a payee are kept for its log; 0: none are. */
  readonly apiLogHours: number;
  /** Days for which messages to acquirers are kept, masked; 0: none are. */
  readonly acquirerTraceDays: number;
  /** What people give away by pages of the portal, where a payee has no limits of its own. */
  readonly givingLimits: GivingLimits;
  /** Different numbers declined on a payee's pages in ten minutes, and their share in percent, that are card testing; 0 numbers: off. */
  readonly cardTesting: { readonly numbers: number; readonly percent: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A month: the log is for looking at what went wrong lately. */
const MOST_API_LOG_HOURS = 720;
/** A certification and what is asked about it afterwards. */
const MOST_ACQUIRER_TRACE_DAYS = 90;

const DEFAULT_PORT = '8080';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SETTING_NAMES = [
  'KONTOR_ENV_FILE',
  'KONTOR_MODE',
  'KONTOR_HOST',
  'KONTOR_PORT',
  'KONTOR_PUBLIC_URL',
  'KONTOR_DATA_DIR',
  'KONTOR_DATABASE_URL',
  'KONTOR_DATABASE_OWNER_URL',
  'KONTOR_TLS_TERMINATED',
  'KONTOR_TRUSTED_PROXIES',
  'KONTOR_ALLOWED_HOSTS',
  'KONTOR_VIEW_GLOBALS',
  'KONTOR_TLS_CERT',
  'KONTOR_TLS_KEY',
  'KONTOR_KEY_FILE',
  'KONTOR_KEY_PASSPHRASE_FILE',
  'KONTOR_ACQUIRERS_FILE',
  'KONTOR_LOG_LEVEL',
  'KONTOR_METRICS_TOKEN',
  'KONTOR_METRICS_PORT',
  'KONTOR_REQUESTS_PER_MINUTE',
  'KONTOR_FAILURES_PER_MINUTE',
  'KONTOR_PAGES_PER_MINUTE',
  'KONTOR_PORTAL_IDLE_DAYS',
  'KONTOR_CIRCUMSTANCES_DAYS',
  'KONTOR_SIGN_INS_PER_MINUTE',
  'KONTOR_BATCH_MAX',
  'KONTOR_API_LOG_HOURS',
  'KONTOR_ACQUIRER_TRACE_DAYS',
  'KONTOR_CONFIRM_ABOVE',
  'KONTOR_SECOND_PERSON_ABOVE',
  'KONTOR_CARD_TESTING_NUMBERS',
  'KONTOR_CARD_TESTING_PERCENT',
  'KONTOR_ALLOW_MEMORY_DUMPS',
  // Read by single commands, so that no secret stands in a flag.
  'KONTOR_PASSPHRASE',
  'KONTOR_HMAC_SECRET',
  'KONTOR_ACCESS_TOKEN',
] as const;

/**
 * Reads the settings. An empty variable counts as absent; an unknown KONTOR_ variable is refused, because a
 * misspelt safety setting must not be ignored in silence.
 *
 * @throws BadSetting on the first setting that cannot be used
 */
export function readConfig(environment: Environment = process.env): Config {
  for (const name of Object.keys(environment)) {
    if (name.startsWith('KONTOR_') && !(SETTING_NAMES as readonly string[]).includes(name)) {
      throw new BadSetting(`${name} is not a setting of Kontor. The settings are ${SETTING_NAMES.join(', ')}.`);
    }
  }
  const read = (name: (typeof SETTING_NAMES)[number]): string | undefined => environment[name]?.trim() || undefined;
  const number = (name: (typeof SETTING_NAMES)[number], usual: string, largest: number): number =>
    wholeNumber(name, read(name) ?? usual, largest);
  const mode = modeOf(read('KONTOR_MODE'), read('KONTOR_DATABASE_URL'));
  const dataDir = resolve(read('KONTOR_DATA_DIR') ?? './data');
  return Object.freeze({
    mode,
    host: read('KONTOR_HOST') ?? '127.0.0.1',
    port: number('KONTOR_PORT', DEFAULT_PORT, 65_535),
    publicUrl: publicUrl(read('KONTOR_PUBLIC_URL')),
    dataDir,
    databaseUrl: databaseUrl(mode, read('KONTOR_DATABASE_URL')),
    databaseOwnerUrl: postgresUrl('KONTOR_DATABASE_OWNER_URL', read('KONTOR_DATABASE_OWNER_URL')),
    tlsTerminated: truth('KONTOR_TLS_TERMINATED', read('KONTOR_TLS_TERMINATED')),
    allowsMemoryDumps: truth('KONTOR_ALLOW_MEMORY_DUMPS', read('KONTOR_ALLOW_MEMORY_DUMPS')),
    trustedProxies: trustedProxies(read('KONTOR_TRUSTED_PROXIES')),
    allowedHosts: allowedHosts(mode, read('KONTOR_PUBLIC_URL'), read('KONTOR_ALLOWED_HOSTS')),
    viewGlobals: viewGlobals(read('KONTOR_VIEW_GLOBALS')),
    tls: tls(read('KONTOR_TLS_CERT'), read('KONTOR_TLS_KEY')),
    keyFile: keyFile(mode, dataDir, read('KONTOR_KEY_FILE')),
    keyPassphraseFile: pathOf(read('KONTOR_KEY_PASSPHRASE_FILE')),
    acquirersFile: acquirersFile(mode, dataDir, read('KONTOR_ACQUIRERS_FILE')),
    logLevel: oneOf('KONTOR_LOG_LEVEL', read('KONTOR_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    metricsToken: read('KONTOR_METRICS_TOKEN'),
    metricsPort: metricsPort(read('KONTOR_METRICS_PORT'), read('KONTOR_PORT')),
    requestsPerMinute: number('KONTOR_REQUESTS_PER_MINUTE', '60000', 1e9),
    pagesPerMinute: number('KONTOR_PAGES_PER_MINUTE', '600', 1e9),
    signInsPerMinute: number('KONTOR_SIGN_INS_PER_MINUTE', '300', 1e9),
    portalIdleDays: number('KONTOR_PORTAL_IDLE_DAYS', mode === 'sandbox' ? '0' : '90', 3650),
    circumstancesDays: number('KONTOR_CIRCUMSTANCES_DAYS', '540', 3650),
    failuresPerMinute: number('KONTOR_FAILURES_PER_MINUTE', '60', 1e9),
    batchMax: batchMax(read('KONTOR_BATCH_MAX') ?? String(BATCH_COMMANDS)),
    apiLogHours: number('KONTOR_API_LOG_HOURS', '72', MOST_API_LOG_HOURS),
    acquirerTraceDays: number('KONTOR_ACQUIRER_TRACE_DAYS', '0', MOST_ACQUIRER_TRACE_DAYS),
    givingLimits: givingLimits(read('KONTOR_CONFIRM_ABOVE'), read('KONTOR_SECOND_PERSON_ABOVE')),
    cardTesting: {
      numbers: number('KONTOR_CARD_TESTING_NUMBERS', '30', 1e6),
      percent: number('KONTOR_CARD_TESTING_PERCENT', '40', 100),
    },
  });
}

/**
 * Takes the settings of a file into the environment: of the one that is given, or that `KONTOR_ENV_FILE` names. What else is in
 * the file is not ours. A setting that differs from the environment is refused: either could be the wrong one.
 *
 * @throws BadSetting where the file cannot be read, or contradicts the environment
 */
export function loadSettings(given: string | undefined, environment: NodeJS.ProcessEnv = process.env): void {
  const path = given ?? (environment['KONTOR_ENV_FILE'] || undefined);
  if (path === undefined) return;
  if (path === '') throw new BadSetting('--env names no file: is a variable of your shell empty?');
  for (const [name, value] of settingsOf(path, environment)) {
    if ((environment[name] || value) !== value) {
      throw new BadSetting(
        `${name} differs between ${path} and the environment. Take it out of one of them: unset ${name}, or correct the file.`,
      );
    }
    environment[name] = value;
  }
}

function settingsOf(path: string, environment: Environment): ReadonlyMap<string, string> {
  let file: SettingsFile;
  try {
    file = { bytes: readFileSync(path), mode: statSync(path).mode, environment };
  } catch (error) {
    throw new BadSetting(`The file of settings ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const read = readSettings(file, parseEnv);
  if (read.fault !== undefined) throw new BadSetting(`The file of settings ${path} ${read.fault}`);
  return read.settings;
}

/**
 * Takes PostgreSQL's own variables (PGOPTIONS, PGPORT, PGPASSWORD, …) out of the environment. The driver would read what an
 * address leaves out from there, so one that a shell has for another program could change where Kontor connects, and how.
 */
export function forgetPostgresVariables(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(environment)) if (/^PG[A-Z_]+$/.test(name)) delete environment[name];
}

/** The passphrase that seals an exported key ring. From the environment, never from a flag, which others could read. */
export function readPassphrase(environment: Environment = process.env): string | undefined {
  return environment['KONTOR_PASSPHRASE'] || undefined;
}

/** The secret that `hmac sign` signs with, for a key that is not the sandbox's. Never from a flag either. */
export function readHmacSecret(environment: Environment = process.env): string | undefined {
  return environment['KONTOR_HMAC_SECRET'] || undefined;
}

/** The access token that `listen` reads the feed with, where it is not the sandbox's. Never from a flag either. */
export function readAccessToken(environment: Environment = process.env): string | undefined {
  return environment['KONTOR_ACCESS_TOKEN'] || undefined;
}

/**
 * Whether the settings ask for production, wrong as they may be otherwise: what is said on its standard output is for the
 * programs that read its log.
 */
export function readSaysProduction(environment: Environment = process.env): boolean {
  return environment['KONTOR_MODE'] === 'production';
}

/** Options that Node takes from the environment. */
export function readNodeOptions(environment: Environment = process.env): string | undefined {
  return environment['NODE_OPTIONS'];
}

/** Who became another user to run this process (sudo). */
export function readSudoUser(environment: Environment = process.env): string | undefined {
  return environment['SUDO_USER'] || undefined;
}

/** Whether npm started this process, as a script of a package or with `npx`. npm says so in the environment. */
export function readStartedByNpm(environment: Environment = process.env): boolean {
  return environment['npm_lifecycle_event'] !== undefined;
}

/** The version in package.json: of the code that runs, wherever it is installed. */
export function readVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A database that is not the sandbox's own may be production's, whose setting was lost. */
function modeOf(value: string | undefined, databaseUrl = 'embedded'): Config['mode'] {
  if (value === undefined && databaseUrl !== 'embedded') {
    throw new BadSetting(
      'KONTOR_MODE is missing, and KONTOR_DATABASE_URL names a database. Set it to production, or to sandbox where that ' +
        'database is for test data alone.',
    );
  }
  return oneOf('KONTOR_MODE', value ?? 'sandbox', ['sandbox', 'production']);
}

function databaseUrl(mode: Config['mode'], value: string | undefined): string | undefined {
  if (value === 'embedded') return undefined;
  if (value === undefined && mode === 'production') {
    throw new BadSetting(
      'KONTOR_DATABASE_URL is required in production: a PostgreSQL 15 or newer, as postgres://user:password@host/database, ' +
        'or the word embedded if you really want the embedded one.',
    );
  }
  return postgresUrl('KONTOR_DATABASE_URL', value);
}

function postgresUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const fault = databaseAddressFault(value);
  if (fault !== undefined) throw new BadSetting(`${name} ${fault}`);
  return value;
}

/**
 * In normal form, without a slash at its end: what callers compare and browsers send as `Origin` is in that form, too. It is
 * the beginning of every link, so it names no user.
 */
function publicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const address = parseAddress(value);
  if (address === undefined || !/^https?:$/.test(address.protocol) || namesUser(address) || /[?#]/.test(value)) {
    throw new BadSetting(
      'KONTOR_PUBLIC_URL must be an http or https address without user, query or fragment, as in https://pay.example.com.',
    );
  }
  return withoutEnding(address.href, '/');
}

function trustedProxies(value: string | undefined): Networks {
  const networks = readNetworks(value ?? '');
  if (networks !== undefined) return networks;
  throw new BadSetting(
    'KONTOR_TRUSTED_PROXIES must be addresses and networks, parted by commas, as in 10.0.0.7,192.168.0.0/16,2001:db8::/32.',
  );
}

function allowedHosts(mode: Config['mode'], url: string | undefined, value: string | undefined): readonly string[] {
  if (mode === 'production' && value !== undefined) {
    throw new BadSetting('KONTOR_ALLOWED_HOSTS is for the sandbox: in production the proxy decides about hosts.');
  }
  const names = (value ?? '').split(',').flatMap((name) => name.trim() || []);
  if (!names.every((name) => /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(name))) {
    throw new BadSetting(
      'KONTOR_ALLOWED_HOSTS must be names of hosts without ports, parted by commas, as in kontor,kontor.test.',
    );
  }
  return [...names, ...(url === undefined ? [] : [new URL(url).hostname])];
}

function viewGlobals(value: string | undefined): readonly string[] {
  const names = readGlobalNames(value ?? '');
  if (names !== undefined) return names;
  throw new BadSetting(
    'KONTOR_VIEW_GLOBALS must be at most five names, parted by commas, of 3 to 40 letters and digits that begin with a small letter, and none that a browser has.',
  );
}

function metricsPort(value: string | undefined, port = DEFAULT_PORT): number | undefined {
  if (value === undefined) return undefined;
  const found = wholeNumber('KONTOR_METRICS_PORT', value, 65_535);
  if (found === 0 || found !== Number(port)) return found;
  throw new BadSetting('KONTOR_METRICS_PORT is the port of the service, KONTOR_PORT. Metrics need another port.');
}

function tls(certFile: string | undefined, keyFile: string | undefined): Config['tls'] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new BadSetting('KONTOR_TLS_CERT and KONTOR_TLS_KEY go together: set both, or neither.');
  }
  return { certFile: resolve(certFile), keyFile: resolve(keyFile) };
}

function keyFile(mode: Config['mode'], dataDir: string, value: string | undefined): string {
  if (value !== undefined) return resolve(value);
  if (mode === 'sandbox') return resolve(dataDir, 'keys.json');
  throw new BadSetting(
    'KONTOR_KEY_FILE is required in production: the path of the key ring, a file that only the service may read (mode 0400).',
  );
}

function pathOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : resolve(value);
}

function acquirersFile(mode: Config['mode'], dataDir: string, value: string | undefined): Config['acquirersFile'] {
  if (mode === 'production')
    return { path: resolve(value ?? resolve(dataDir, 'acquirers.json')), isNamed: value !== undefined };
  if (value === undefined) return undefined;
  throw new BadSetting('KONTOR_ACQUIRERS_FILE is for production: a sandbox asks its own test acquirer and no other.');
}

/** Whole crowns, euros or the like: a password for an expensive television, another person for a car. */
const CONFIRM_ABOVE = '5000';
const SECOND_PERSON_ABOVE = '50000';

function givingLimits(confirmAbove = CONFIRM_ABOVE, secondPersonAbove = SECOND_PERSON_ABOVE): GivingLimits {
  try {
    return readLimits({ confirmAbove, secondPersonAbove });
  } catch {
    throw new BadSetting(
      'KONTOR_CONFIRM_ABOVE and KONTOR_SECOND_PERSON_ABOVE must be whole numbers of crowns, euros or the like, or none, and ' +
        'the second one not below the first.',
    );
  }
}

function batchMax(value: string): number {
  const number = wholeNumber('KONTOR_BATCH_MAX', value, BATCH_COMMANDS);
  if (number === 0) throw new BadSetting(`KONTOR_BATCH_MAX must be a whole number from 1 to ${BATCH_COMMANDS}.`);
  return number;
}
