import { hostname, userInfo } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { loadSettings, readSaysProduction, readStartedByNpm, readSudoUser, readVersion } from './config.ts';
import { nameOperator } from './kit/caller.ts';
import { Refusal } from './kit/errors.ts';
import { Trouble } from './kit/work/trouble.ts';
import { installationCommands } from './wiring/commands/commands.ts';
import { describeOperator, wantsName } from './wiring/commands/operator.rules.ts';
import { onEndOfNpm } from './wiring/endings.ts';
import { logLine } from './wiring/log-line.ts';
import { type MakeRuntime, runtimeMaker } from './wiring/runtime.ts';

/** Commands that run until they are ended. The service has its own end; nothing of these has to be finished. */
const STAY = new Set(['simulate', 'listen']);

/** Adds the commands that begin with one word. */
type Group = (program: Command, runtime: MakeRuntime) => Promise<unknown>;

/** By their first word, in the order of the help. What a command takes is loaded with it, and nothing of the others. */
const GROUPS: Readonly<Record<string, Group>> = {
  payees: async (program, runtime) => {
    const [{ payeeCommands }, { setOrderSettings }] = await Promise.all([
      import('./merchants/payees/payees.cli.ts'),
      import('./orders/settings/order-settings.cli.ts'),
    ]);
    payeeCommands(program, runtime('merchants'), setOrderSettings(runtime('orders')));
  },
  'payment-orders': async (program, runtime) =>
    (await import('./portal/orders/orders.cli.ts')).paymentOrderCommands(program, runtime('orders', 'optional')),
  'access-tokens': async (program, runtime) =>
    (await import('./merchants/access-tokens/access-tokens.cli.ts')).accessTokenCommands(program, runtime('merchants')),
  credentials: async (program, runtime) =>
    (await import('./merchants/payees/payee-states.cli.ts')).credentialCommands(program, runtime('merchants')),
  'oauth-clients': async (program, runtime) =>
    (await import('./merchants/oauth/oauth-clients.cli.ts')).oauthClientCommands(program, runtime('merchants')),
  'hmac-keys': async (program, runtime) =>
    (await import('./merchants/hmac-keys/hmac-keys.cli.ts')).hmacKeyCommands(program, runtime('merchants')),
  hmac: async (program) => (await import('./wiring/commands/signing-commands.ts')).signingCommands(program),
  'portal-users': async (program, runtime) =>
    (await import('./portal-users/portal-users.cli.ts')).portalUserCommands(program, runtime('portalUsers')),
  payers: async (program, runtime) =>
    (await import('./orders/payers/payers.cli.ts')).payerCommands(program, runtime('orders')),
  page: async (program) => (await import('./payments/page-integrity/check-page.cli.ts')).pageCommands(program, print),
  tokens: async (program, runtime) =>
    (await import('./tokens/tokens.cli.ts')).tokenCommands(program, runtime('tokens')),
  'card-ranges': async (program, runtime) =>
    (await import('./vault/vault.cli.ts')).vaultCommands(program, runtime('vault')),
  'gift-card-products': async (program, runtime) =>
    (await import('./gift-cards/products/gift-card-products.cli.ts')).giftCardProductCommands(
      program,
      runtime('giftCards'),
    ),
  'gift-cards': async (program, runtime) => {
    const [issue, life, importing, report] = await Promise.all([
      import('./gift-cards/gift-cards.cli.ts'),
      import('./gift-cards/cards/life.cli.ts'),
      import('./gift-cards/bulk/import.cli.ts'),
      import('./gift-cards/liability/liability.cli.ts'),
    ]);
    const giftCards = issue.giftCardCommands(program, runtime('cards'));
    life.lifeCommands(giftCards, runtime('cardLife'));
    importing.cardImportCommand(giftCards, runtime('cardImport'));
    report.liabilityCommand(giftCards, runtime('liability', 'optional'));
  },
  accounts: async (program, runtime) =>
    (await import('./accounts/opening/accounts.cli.ts')).accountCommands(program, runtime('accounts')),
  issuers: async (program, runtime) =>
    (await import('./portal/installation/issuers.cli.ts')).issuerCommands(program, runtime('issuers', 'optional')),
  acquirers: async (program, runtime) => {
    const acquirers = program.command('acquirers').description('hosts that card payments are sent to');
    (await import('./test-hosts/acquirer/simulate.cli.ts')).simulateCommand(acquirers, print);
    (await import('./wiring/commands/acquirer-commands.ts')).acquirerCommands(acquirers, print);
    (await import('./issuers/exchanges.cli.ts')).exchangeCommands(acquirers, runtime('exchanges'));
    (await import('./issuers/trace/trace.cli.ts')).traceCommand(acquirers, runtime('trace', 'optional'));
    (await import('./issuers/certification/certify.cli.ts')).certifyCommand(acquirers, runtime('certify', 'optional'));
  },
  settlements: async (program, runtime) =>
    (await import('./settlements/settlements.cli.ts')).settlementCommands(program, runtime('settlements', 'optional')),
  disputes: async (program, runtime) =>
    (await import('./settlements/disputes/disputes.cli.ts')).disputeCommands(
      program,
      runtime('settlements', 'optional'),
    ),
  'three-ds': async (program) =>
    (await import('./test-hosts/three-ds/simulate.cli.ts')).threeDSCommands(program, print),
  ledger: async (program, runtime) => {
    const { ledgerCommands } = await import('./ledger/verification/ledger.cli.ts');
    const { trialBalanceCommand } = await import('./settlements/reports/trial-balance.cli.ts');
    const { salesCommand } = await import('./settlements/reports/sales.cli.ts');
    const ledger = ledgerCommands(program, runtime('ledger', 'optional'));
    trialBalanceCommand(ledger, runtime('settlements', 'optional'));
    salesCommand(ledger, runtime('settlements', 'optional'));
  },
  webhooks: async (program, runtime) => {
    const [{ webhookCommands }, { deliveryCommands }] = await Promise.all([
      import('./events/webhooks/webhooks.cli.ts'),
      import('./events/deliveries/deliveries.cli.ts'),
    ]);
    const webhooks = program.command('webhooks').description('addresses that events are posted to');
    webhookCommands(webhooks, runtime('events'));
    deliveryCommands(webhooks, runtime('events'));
  },
  'callback-secret': async (program, runtime) =>
    (await import('./events/webhooks/callback-secret.cli.ts')).callbackSecretCommands(program, runtime('events')),
  listen: async (program) => (await import('./wiring/commands/listen-command.ts')).listenCommand(program),
  keys: async (program, runtime) =>
    (await import('./keys/keys.cli.ts')).keyCommands(program, runtime('keys', 'optional')),
  background: async (program, runtime) =>
    (await import('./wiring/commands/background-commands.ts')).backgroundCommands(
      program,
      runtime('background', 'optional'),
    ),
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

/** On the command line there is no body that could list the problems: they are the message. */
function describeRefusal({ code, detail, problems }: Refusal): string {
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
export async function kontorProgram(args: readonly string[], exit: (status: number) => void): Promise<Command> {
  const given: string[] = [];
  const program = new Command('kontor')
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
  installationCommands(program, exit);
  for (const group of groupsFor(program, firstWord(args))) await group(program, runtime);
  return program;
}

/**
 * Says in the audit trail who runs the command.
 *
 * @throws Trouble where production wants to be told
 */
function identify(as: string | undefined, command: Command): void {
  if (as === undefined && readSaysProduction() && wantsName(pathOf(command))) {
    throw new Trouble('Production writes down who does this. Say who you are: add --as NAME.');
  }
  nameOperator(describeOperator({ given: as, sudoUser: readSudoUser(), user: userName(), host: hostname() }));
}

function pathOf(command: Command): readonly string[] {
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
function groupsFor(program: Command, word: string | undefined): readonly Group[] {
  if (word !== undefined && Object.hasOwn(GROUPS, word)) return [GROUPS[word] as Group];
  return program.commands.some((command) => command.name() === word) ? [] : Object.values(GROUPS);
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
