import { COMMAND_LINE, type PayeeState } from '../../kit/caller.ts';
import { type Command, command, flag, needed } from '../../kit/command.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { MerchantsRuntime } from '../merchants.types.ts';
import { OPERATORS_OWN, WHOSE } from '../owner.cli.ts';
import { changePayeeState } from './payee-states.ts';
import { revokeAllCredentials } from './revoke-all.ts';
import { whichPayee, whoseCredentials } from './which-payee.ts';

/** What every change of a payee's state takes. */
const CHANGE = {
  payee: needed('<payee>', 'its id'),
  reason: needed('<text>', 'why; stored with it, and in the audit trail'),
};

interface Change {
  readonly payee: string;
  readonly state: PayeeState;
  readonly reason: string;
}

function change({ withService }: MerchantsRuntime, { payee, state, reason }: Change): Promise<Changed> {
  return withService(({ transact, merchants }) =>
    transact(async (transaction) => {
      const payeeId = await whichPayee(transaction, payee);
      const asked = { payeeId, state, reason, actor: COMMAND_LINE };
      return { payeeId, state, isNew: await changePayeeState(transaction, merchants, asked) };
    }),
  );
}

interface Changed {
  readonly payeeId: string;
  readonly state: PayeeState;
  readonly isNew: boolean;
}

/** What it prints. */
const CHANGED = {
  json: 'print {"payeeId", "state", "isNew"}',
  show: ({ isNew, state }: Changed) => (isNew ? SAID[state] : `Nothing to do: the payee is ${state} already.`),
};

const SAID: Readonly<Record<PayeeState, string>> = {
  Active: 'The payee takes payments again. Its users sign in anew; what its webhooks missed is delivered now.',
  FollowUpsOnly:
    'Suspended: within a second the payee can read, capture, cancel and give back, and nothing else. Its portal is closed.',
  Suspended: 'Suspended: within a second nothing is done for the payee. Its webhooks wait.',
  Closed: 'Closed for good: all credentials are revoked. What is owed is still settled.',
};

/** `payees suspend`. */
export const suspend = command({
  ...CHANGED,
  name: 'suspend',
  about: 'stop a payee: its credentials, its pages and its users of the portal, on all instances',
  args: ['payee'],
  takes: { ...CHANGE, followUps: flag('let it read, capture, cancel and give back what was begun') },
  run: (runtime: MerchantsRuntime, { payee, reason, followUps }) =>
    change(runtime, { payee, reason, state: followUps ? 'FollowUpsOnly' : 'Suspended' }),
});

/** `payees resume`. */
export const resume = command({
  ...CHANGED,
  name: 'resume',
  about: 'let a suspended payee go on',
  args: ['payee'],
  takes: CHANGE,
  run: (runtime: MerchantsRuntime, { payee, reason }) => change(runtime, { payee, reason, state: 'Active' }),
});

/** `payees close`. */
export const close = command({
  ...CHANGED,
  name: 'close',
  about: 'stop a payee for good, and revoke all its credentials',
  args: ['payee'],
  takes: CHANGE,
  run: (runtime: MerchantsRuntime, { payee, reason }) => change(runtime, { payee, reason, state: 'Closed' }),
});

const revoke = command({
  name: 'revoke',
  about: 'revoke all access tokens, OAuth clients and HMAC keys of a payee at once',
  takes: { payee: WHOSE, operator: OPERATORS_OWN, all: flag('all of them: nothing less can be asked for here') },
  json: 'print {"accessTokens", "oauthClients", "hmacKeys"}',
  run: ({ withService }: MerchantsRuntime, { all, ...owner }) => {
    if (!all) {
      throw new Trouble(
        'Say --all: every program of the payee stops. One alone: `kontor access-tokens revoke ID`, and likewise `oauth-clients` and `hmac-keys`.',
      );
    }
    return withService(({ transact }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        return revokeAllCredentials(transaction, { payeeId, actor: COMMAND_LINE });
      }),
    );
  },
  show: ({ accessTokens, oauthClients, hmacKeys }) =>
    `Revoked: ${accessTokens} access tokens, ${oauthClients} OAuth clients, ${hmacKeys} HMAC keys. They stop within a second.`,
});

/** `credentials …`. */
export const credentialCommands: readonly Command<MerchantsRuntime>[] = [revoke];
