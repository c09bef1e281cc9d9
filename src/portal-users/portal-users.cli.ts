import type { Transact, Transaction } from '../db/transaction.types.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import { type Command, type CommandRuntime, command, flag, needed, optional, payeeOption } from '../kit/command.ts';
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
  readonly payee: string | undefined;
  readonly operator: boolean;
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

/** The options that say whose a user is. */
const WHOSE = { payee: payeeOption('whose they are'), operator: flag('they are an operator of this installation') };
const ID = needed('<id>', 'the id that list shows');

interface Invited extends InvitedUser {
  readonly link: string;
}

/** What both commands that make a link print. */
const INVITED = {
  json: 'print {"userId", "link", "expiresAt"}',
  asJson: ({ user: { userId }, link, expiresAt }: Invited) => ({ userId, link, expiresAt }),
  show: ({ user: { name, userId }, link, expiresAt }: Invited) => [
    `${name} (${userId}) can choose a password until ${expiresAt}:`,
    `\n  ${link}\n`,
    'Give the link to them alone: its holder can sign in. It is shown this once.',
  ],
};

function withLink(invited: InvitedUser, baseUrl: string): Invited {
  return { ...invited, link: `${baseUrl}/portal/invitation#${invited.invitation.reveal()}` };
}

const create = command({
  ...INVITED,
  name: 'create',
  about: 'create a portal user, and print a link for them to choose a password with',
  takes: {
    email: needed('<address>', 'what they sign in with'),
    name: needed('<name>', 'their name, for people'),
    role: optional('<role>', `${ROLES.join(', ')} (default: administrator; with --operator, operator)`),
    ...WHOSE,
  },
  run: ({ withService }: Runtime, { email, name, role: asked, ...owner }) => {
    const role = readRole(asked ?? (owner.operator ? 'operator' : 'administrator'));
    return withService(async ({ transact, portalUsers, whose, baseUrl }) => {
      const invited = await transact(async (transaction) => {
        const payeeId = await whose(transaction, owner);
        return inviteUser(transaction, portalUsers, { payeeId, email, name, role, actor: COMMAND_LINE });
      });
      return withLink(invited, baseUrl);
    });
  },
});

function readRole(text: string) {
  const known = ROLES.find((one) => one === text);
  if (known === undefined) throw inputError('role', `must be one of ${ROLES.join(', ')}`);
  return known;
}

const list = command({
  name: 'list',
  about: 'show the portal users of a payee, by name',
  takes: { payee: payeeOption('whose'), operator: flag('the operators of this installation') },
  json: 'print an array',
  run: ({ withService }: Runtime, owner) =>
    withService(({ transact, portalUsers, whose }) =>
      transact(async (transaction) => listUsers(transaction, portalUsers, await whose(transaction, owner))),
    ),
  show: (users) =>
    users.length === 0
      ? 'There are no portal users.'
      : formatTable(
          ['id', 'state', 'role', 'last sign-in', 'e-mail', 'name'],
          users.map(({ userId, state, role, lastSignInAt, email, name }) => {
            return [userId, state, role, lastSignInAt ?? 'never', email, name];
          }),
        ),
});

const invite = command({
  ...INVITED,
  name: 'invite',
  about: 'print a new link for a user who lost theirs, or their password or second factor',
  args: ['id'],
  takes: { id: ID, ...WHOSE },
  run: ({ withService }: Runtime, { id: userId, ...owner }) =>
    withService(async ({ transact, portalUsers, whose, baseUrl }) => {
      const invited = await transact(async (transaction) => {
        const payeeId = await whose(transaction, owner);
        return renewInvitation(transaction, portalUsers, { payeeId, userId, actor: COMMAND_LINE });
      });
      return withLink(invited, baseUrl);
    }),
});

function switching(name: 'disable' | 'enable', about: string) {
  const isDisabled = name === 'disable';
  return command({
    name,
    about,
    args: ['id'],
    takes: { id: ID, ...WHOSE },
    json: 'print {"userId", "state"}',
    run: ({ withService }: Runtime, { id: userId, ...owner }) =>
      withService(({ transact, portalUsers, whose }) =>
        transact(async (transaction) => {
          const payeeId = await whose(transaction, owner);
          return switchUser(transaction, portalUsers, { payeeId, userId, isDisabled, actor: COMMAND_LINE });
        }),
      ),
    asJson: ({ state }, { id: userId }) => ({ userId, state }),
    show: (_, { id }) => `The user ${id} can ${isDisabled ? 'no longer' : 'again'} sign in.`,
  });
}

/** `portal-users …`. */
export const portalUserCommands: readonly Command<Runtime>[] = [
  create,
  list,
  invite,
  switching('disable', 'keep a user from signing in, and end their sessions'),
  switching('enable', 'let a user sign in again'),
];
