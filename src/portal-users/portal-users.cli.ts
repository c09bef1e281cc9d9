import type { Command } from 'commander';
import type { Transact, Transaction } from '../db/transaction.types.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.types.ts';
import { inputError } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { ROLES } from '../kit/portal-user.ts';
import { formatTable } from '../kit/table.ts';
import { switchUser } from './change-user.ts';
import { type InvitedUser, inviteUser, renewInvitation } from './invitations.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { listUsers } from './show-user.ts';

/** What was written after a command: whose users it is about. */
interface Owner {
  readonly payee?: string;
  readonly operator?: true;
  readonly json?: true;
}

/** What the commands of this slice need: see `CommandRuntime`. */
export interface PortalUsersCommands {
  readonly transact: Transact;
  readonly portalUsers: PortalUsersContext;
  readonly whose: (transaction: Transaction, owner: Owner) => Promise<PayeeId>;
  /** Where the portal is reached, without a trailing slash. */
  readonly baseUrl: string;
}

type Runtime = CommandRuntime<PortalUsersCommands>;

interface CreateOptions extends Owner {
  readonly email: string;
  readonly name: string;
  readonly role?: string;
}

/** Adds `portal-users create`, `list`, `invite`, `disable` and `enable`. */
export function portalUserCommands(program: Command, runtime: Runtime): void {
  const users = program.command('portal-users').description('people who sign in to the merchant portal');
  addCreate(users, runtime);
  addList(users, runtime);
  addInvite(users, runtime);
  addSwitch(users, runtime, { name: 'disable', isDisabled: true });
  addSwitch(users, runtime, { name: 'enable', isDisabled: false });
}

function addCreate(users: Command, runtime: Runtime): void {
  users
    .command('create')
    .description('create a portal user, and print a link for them to choose a password with')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--name <name>', 'their name, for people')
    .option('--role <role>', `${ROLES.join(', ')} (default: administrator; with --operator, operator)`)
    .option('--payee <id>', 'whose they are; may be left out while there is one payee')
    .option('--operator', 'they are an operator of this installation')
    .option('--json', 'print {"userId", "link", "expiresAt"}')
    .action(async (options: CreateOptions) => {
      const { email, name } = options;
      const role = readRole(options);
      await runtime.withService(async ({ transact, portalUsers, whose, baseUrl }) => {
        const invited = await transact(async (transaction) => {
          const payeeId = await whose(transaction, options);
          return inviteUser(transaction, portalUsers, { payeeId, email, name, role, actor: COMMAND_LINE });
        });
        show(invited, { ...options, baseUrl }, runtime);
      });
    });
}

function readRole({ role, operator }: CreateOptions) {
  const wanted = role ?? (operator ? 'operator' : 'administrator');
  const known = ROLES.find((one) => one === wanted);
  if (known === undefined) throw inputError('role', `must be one of ${ROLES.join(', ')}`);
  return known;
}

function addList(users: Command, runtime: Runtime): void {
  users
    .command('list')
    .description('show the portal users of a payee, by name')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--operator', 'the operators of this installation')
    .option('--json', 'print an array')
    .action(async (options: Owner) => {
      const found = await runtime.withService(({ transact, portalUsers, whose }) =>
        transact(async (transaction) => listUsers(transaction, portalUsers, await whose(transaction, options))),
      );
      if (options.json) return runtime.print(JSON.stringify(found));
      if (found.length === 0) return runtime.print('There are no portal users.');
      const rows = found.map((user) => [
        user.userId,
        user.state,
        user.role,
        user.lastSignInAt ?? 'never',
        user.email,
        user.name,
      ]);
      runtime.print(formatTable(['id', 'state', 'role', 'last sign-in', 'e-mail', 'name'], rows));
    });
}

function addInvite(users: Command, runtime: Runtime): void {
  users
    .command('invite')
    .description('print a new link for a user who lost theirs, or their password or second factor')
    .argument('<id>', 'the id that list shows')
    .option('--payee <id>', 'whose they are; may be left out while there is one payee')
    .option('--operator', 'they are an operator of this installation')
    .option('--json', 'print {"userId", "link", "expiresAt"}')
    .action(async (userId: string, options: Owner) => {
      await runtime.withService(async ({ transact, portalUsers, whose, baseUrl }) => {
        const invited = await transact(async (transaction) => {
          const payeeId = await whose(transaction, options);
          return renewInvitation(transaction, portalUsers, { payeeId, userId, actor: COMMAND_LINE });
        });
        show(invited, { ...options, baseUrl }, runtime);
      });
    });
}

function addSwitch(
  users: Command,
  runtime: Runtime,
  { name, isDisabled }: { readonly name: string; readonly isDisabled: boolean },
): void {
  users
    .command(name)
    .description(isDisabled ? 'keep a user from signing in, and end their sessions' : 'let a user sign in again')
    .argument('<id>', 'the id that list shows')
    .option('--payee <id>', 'whose they are; may be left out while there is one payee')
    .option('--operator', 'they are an operator of this installation')
    .option('--json', 'print {"userId", "state"}')
    .action(async (userId: string, options: Owner) => {
      const { state } = await runtime.withService(({ transact, portalUsers, whose }) =>
        transact(async (transaction) => {
          const payeeId = await whose(transaction, options);
          return switchUser(transaction, portalUsers, { payeeId, userId, isDisabled, actor: COMMAND_LINE });
        }),
      );
      const sentence = `The user ${userId} can ${isDisabled ? 'no longer' : 'again'} sign in.`;
      runtime.print(options.json ? JSON.stringify({ userId, state }) : sentence);
    });
}

function show(
  { user, invitation, expiresAt }: InvitedUser,
  { json, baseUrl }: Owner & { readonly baseUrl: string },
  runtime: Runtime,
): void {
  const link = `${baseUrl}/portal/invitation#${invitation.reveal()}`;
  if (json) {
    runtime.print(JSON.stringify({ userId: user.userId, link, expiresAt }));
    return;
  }
  runtime.print(`${user.name} (${user.userId}) can choose a password until ${expiresAt}:`);
  runtime.print(`\n  ${link}\n`);
  runtime.print('Give the link to them alone: its holder can sign in. It is shown this once.');
}
