import { hostname, userInfo } from 'node:os';
import { Command as Commander, CommanderError, InvalidArgumentError } from 'commander';
import { loadSettings, readSaysProduction, readStartedByNpm, readSudoUser, readVersion } from './config.ts';
import { nameOperator } from './kit/caller.ts';
import type { Command } from './kit/command.ts';
import { NOTHING_THERE, Refusal } from './kit/errors.ts';
import { Trouble } from './kit/work/trouble.ts';
import { installationCommands } from './wiring/commands/commands.ts';
import { addCommands } from './wiring/commands/frame.ts';
import { describeOperator, wantsName } from './wiring/commands/operator.rules.ts';
import { onEndOfNpm } from './wiring/endings.ts';
import { logLine } from './wiring/log-line.ts';
import { type MakeRuntime, runtimeMaker } from './wiring/runtime.ts';

/** Commands that run until they are ended. The service has its own end; nothing of these has to be finished. */
const STAY = new Set(['simulate', 'listen']);

/** Makes commands known, on this machine. */
type Add = <R extends { print(text: string): void }>(commands: readonly Command<R>[], runtime: R) => void;

/** What begins with one word. Its commands are loaded when it is asked for, and nothing of the others. */
interface Group {
  /** Absent where the word is a command itself. */
  readonly about?: string;
  readonly fill: (add: Add, runtime: MakeRuntime) => Promise<void>;
}

/** By their first word, in the order of the help. */
const GROUPS: Readonly<Record<string, Group>> = {
  payees: {
    about: 'the merchants that this installation serves',
    fill: async (add, runtime) => {
      const [{ payeeCommands }, { setOrderSettings }] = await Promise.all([
        import('./merchants/payees/payees.cli.ts'),
        import('./orders/settings/order-settings.cli.ts'),
      ]);
      add(payeeCommands, { ...runtime('merchants'), setForPayee: setOrderSettings(runtime('orders')) });
    },
  },
  'payment-orders': {
    about: 'amounts that payers pay with several means',
    fill: async (add, runtime) =>
      add((await import('./portal/orders/orders.cli.ts')).paymentOrderCommands, runtime('orders', 'optional')),
  },
  'access-tokens': {
    about: 'bearer tokens for the API, as a merchant keeps them',
    fill: async (add, runtime) =>
      add((await import('./merchants/access-tokens/access-tokens.cli.ts')).accessTokenCommands, runtime('merchants')),
  },
  credentials: {
    about: 'everything that programs call the API with',
    fill: async (add, runtime) =>
      add((await import('./merchants/payees/payee-states.cli.ts')).credentialCommands, runtime('merchants')),
  },
  'oauth-clients': {
    about: 'clients that get short-lived tokens at POST /oauth/token',
    fill: async (add, runtime) =>
      add((await import('./merchants/oauth/oauth-clients.cli.ts')).oauthClientCommands, runtime('merchants')),
  },
  'hmac-keys': {
    about: 'keys that sign payment requests, for the Hmac header',
    fill: async (add, runtime) =>
      add((await import('./merchants/hmac-keys/hmac-keys.cli.ts')).hmacKeyCommands, runtime('merchants')),
  },
  hmac: {
    about: 'signatures of payment requests, for the Hmac header',
    fill: async (add) => add((await import('./wiring/commands/signing-commands.ts')).signingCommands, { print }),
  },
  'portal-users': {
    about: 'people who sign in to the merchant portal',
    fill: async (add, runtime) =>
      add((await import('./portal-users/portal-users.cli.ts')).portalUserCommands, runtime('portalUsers')),
  },
  payers: {
    about: 'what is stored of those who pay',
    fill: async (add, runtime) => add((await import('./orders/payers/payers.cli.ts')).payerCommands, runtime('orders')),
  },
  page: {
    about: 'what payers see',
    fill: async (add) => add((await import('./payments/page-integrity/check-page.cli.ts')).pageCommands, { print }),
  },
  tokens: {
    about: "payers' stored cards and accounts",
    fill: async (add, runtime) => add((await import('./tokens/tokens.cli.ts')).tokenCommands, runtime('tokens')),
  },
  'card-ranges': {
    about: 'what the first digits of a card tell: brand, type, issuing bank, country',
    fill: async (add, runtime) => add((await import('./vault/vault.cli.ts')).vaultCommands, runtime('vault')),
  },
  'gift-card-products': {
    about: 'what gift cards are sold as',
    fill: async (add, runtime) => {
      const { giftCardProductCommands } = await import('./gift-cards/products/gift-card-products.cli.ts');
      add(giftCardProductCommands, runtime('giftCards'));
    },
  },
  'gift-cards': {
    about: 'gift cards: one, or by the thousand',
    fill: async (add, runtime) => {
      const [issue, life, importing, report] = await Promise.all([
        import('./gift-cards/gift-cards.cli.ts'),
        import('./gift-cards/cards/life.cli.ts'),
        import('./gift-cards/bulk/import.cli.ts'),
        import('./gift-cards/liability/liability.cli.ts'),
      ]);
      add(issue.giftCardCommands, runtime('cards'));
      add(life.lifeCommands, runtime('cardLife'));
      add(importing.cardImportCommands, runtime('cardImport'));
      add(report.liabilityCommands, runtime('liability', 'optional'));
    },
  },
  accounts: {
    about: 'stored value that payers pay with',
    fill: async (add, runtime) =>
      add((await import('./accounts/opening/accounts.cli.ts')).accountCommands, runtime('accounts')),
  },
  issuers: {
    about: 'who decides on account payments, by the first digits of numbers',
    fill: async (add, runtime) =>
      add((await import('./portal/installation/issuers.cli.ts')).issuerCommands, runtime('issuers', 'optional')),
  },
  acquirers: {
    about: 'hosts that card payments are sent to',
    fill: async (add, runtime) => {
      add([(await import('../sandbox/acquirer/simulate.cli.ts')).simulation], { print });
      add((await import('./wiring/commands/acquirer-commands.ts')).acquirerCommands, { print });
      add((await import('./issuers/exchanges.cli.ts')).exchangeCommands, runtime('exchanges'));
      add([(await import('./issuers/trace/trace.cli.ts')).trace], runtime('trace', 'optional'));
      add([(await import('./issuers/certification/certify.cli.ts')).certification], runtime('certify', 'optional'));
    },
  },
  settlements: {
    about: 'what acquirers owe, what they have paid, what differs',
    fill: async (add, runtime) =>
      add((await import('./settlements/settlements.cli.ts')).settlementCommands, runtime('settlements', 'optional')),
  },
  disputes: {
    about: 'what holders of cards have asked back through their banks',
    fill: async (add, runtime) =>
      add((await import('./settlements/disputes/disputes.cli.ts')).disputeCommands, runtime('settlements', 'optional')),
  },
  'three-ds': {
    about: '3-D Secure: how payers are authenticated',
    fill: async (add) => add((await import('../sandbox/three-ds/simulate.cli.ts')).threeDSCommands, { print }),
  },
  ledger: {
    about: 'accounts, and where the money went',
    fill: async (add, runtime) => {
      add((await import('./ledger/verification/ledger.cli.ts')).ledgerCommands, runtime('ledger', 'optional'));
      const { trialBalance } = await import('./settlements/reports/trial-balance.cli.ts');
      const { sales } = await import('./settlements/reports/sales.cli.ts');
      add([trialBalance, sales], runtime('settlements', 'optional'));
    },
  },
  webhooks: {
    about: 'addresses that events are posted to',
    fill: async (add, runtime) => {
      add((await import('./events/webhooks/webhooks.cli.ts')).webhookCommands, runtime('events'));
      add((await import('./events/deliveries/deliveries.cli.ts')).deliveryCommands, runtime('events'));
    },
  },
  'callback-secret': {
    about: "the secret that signs the callbacks of a payee's card payments",
    fill: async (add, runtime) =>
      add((await import('./events/webhooks/callback-secret.cli.ts')).callbackSecretCommands, runtime('events')),
  },
  listen: {
    fill: async (add) => add([(await import('./wiring/commands/listen-command.ts')).listening], { print }),
  },
  keys: {
    about: 'the keys that stored card data and secrets are encrypted with',
    fill: async (add, runtime) => add((await import('./keys/keys.cli.ts')).keyCommands, runtime('keys', 'optional')),
  },
  background: {
    about: 'work that is done beside requests',
    fill: async (add, runtime) => {
      const { backgroundCommands } = await import('./wiring/commands/background-commands.ts');
      add(backgroundCommands, runtime('background', 'optional'));
    },
  },
};

/**
 * Runs `kontor …`, and writes what goes wrong to the standard error.
 *
 * @param args what stands behind `kontor`
 * @param exit as `kontorProgram` takes it
 * @returns the status that the process ends with; undefined where nothing went wrong so far: a service is up then
 */
export async function runKontor(args: readonly string[], exit: (status: number) => void): Promise<number | undefined> {
  try {
    const program = await kontorProgram(args, exit);
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    return error instanceof CommanderError ? error.exitCode : fail(error, args);
  }
}

/**
 * What the operator can put right is said in words; everything else is a bug of ours and shows where it happened. Why production
 * does not start is in its log too.
 */
function fail(error: unknown, args: readonly string[]): number {
  process.stderr.write(`kontor: ${describe(error)}\n`);
  if (firstWord(args) === 'serve' && readSaysProduction()) process.stdout.write(logLine('fatal', describe(error)));
  return error instanceof Trouble ? error.status : 1;
}

function describe(error: unknown): string {
  if (error instanceof Trouble) return error.message;
  if (error instanceof Refusal) return describeRefusal(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** On the command line there is no body that could list the problems: they are the message. And nothing was sent to an address. */
function describeRefusal({ code, detail, problems }: Refusal): string {
  if (detail === NOTHING_THERE)
    return 'The payee has nothing of that id or number, or it has ended: check it, and --payee.';
  if (problems.length === 0) return detail;
  // What is wrong with a member goes on where its name ends; why an operation is impossible is a sentence of its own.
  const link = code === 'inputerror' ? ' ' : ': ';
  return problems.map(({ name, description }) => `${name}${link}${description}`).join('\n');
}

/**
 * The command line `kontor …`. It throws what goes wrong.
 *
 * @param args what stands behind `kontor`: the first word's commands alone are there, and all of them where it is none
 * @param exit ends the process: where a service cannot go on, and where what stays has lost who started it
 */
export async function kontorProgram(args: readonly string[], exit: (status: number) => void): Promise<Commander> {
  const given: string[] = [];
  const program = new Commander('kontor')
    .description('A self-hosted payments service. Settings are KONTOR_… environment variables; see docs/operating.')
    .version(readVersion())
    .option('--env <file>', 'take the settings from a file of NAME=value lines (or set KONTOR_ENV_FILE)', once)
    .option(
      '--as <name>',
      'who you are, for the audit trail; production wants it of commands for keys, credentials and corrections',
      once,
    )
    .showHelpAfterError('(`kontor help`, or --help behind a command, shows what there is)')
    .exitOverride()
    .hook('preAction', (whole, command) => {
      const { env, as } = whole.opts<{ env?: string; as?: string }>();
      loadSettings(env);
      identify(as, command);
      given.push(...command.args, ...textsOf(command.opts()), as ?? '');
    })
    .hook('preAction', (_, command) => {
      if (STAY.has(command.name()) && readStartedByNpm()) onEndOfNpm(() => exit(0));
    });
  const runtime = runtimeMaker(given);
  addCommands(program, installationCommands, { print, exit });
  for (const [word, { about, fill }] of groupsFor(program, firstWord(args))) {
    const group = about === undefined ? program : program.command(word).description(about);
    await fill((commands, machine) => addCommands(group, commands, machine), runtime);
  }
  return program;
}

/**
 * Says in the audit trail who runs the command.
 *
 * @throws Trouble where production wants to be told
 */
function identify(as: string | undefined, command: Commander): void {
  if (as === undefined && readSaysProduction() && wantsName(pathOf(command))) {
    throw new Trouble('Production writes down who does this. Say who you are: add --as NAME.');
  }
  nameOperator(describeOperator({ given: as, sudoUser: readSudoUser(), user: userName(), host: hostname() }));
}

function pathOf(command: Commander): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** A user may have a number and no name, as in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Of two files or two names either could be the wrong one. */
function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError('It may be given once.');
  return value;
}

/** The word behind the options of `kontor` itself. */
function firstWord(args: readonly string[]): string | undefined {
  if (/^--(env|as)=/.test(args[0] ?? '')) return firstWord(args.slice(1));
  return args[0] === '--env' || args[0] === '--as' ? firstWord(args.slice(2)) : args[0];
}

/** The group of a first word; none where the program has it already, and all where no group has it. */
function groupsFor(program: Commander, word: string | undefined): readonly (readonly [string, Group])[] {
  if (word !== undefined && Object.hasOwn(GROUPS, word)) return [[word, GROUPS[word] as Group]];
  return program.commands.some((command) => command.name() === word) ? [] : Object.entries(GROUPS);
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** The texts among the values of a command's options. */
function textsOf(options: Readonly<Record<string, unknown>>): string[] {
  return Object.values(options)
    .flat()
    .filter((value) => typeof value === 'string');
}
