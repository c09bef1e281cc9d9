import { Trouble } from '../../kit/work/trouble.ts';

/** Who runs a command: what they say, and what the system knows. */
export interface KnownOperator {
  /** `--as NAME`. */
  readonly given: string | undefined;
  readonly sudoUser: string | undefined;
  /** The user that the process runs as. */
  readonly user: string;
  readonly host: string;
}

/** Characters of a name that the system gives. */
const SYSTEM_NAME_CHARACTERS = 64;

/**
 * Who that is, for the audit trail: `Anna Berg/anna/kontor@pay1` for an operator who says that she is Anna Berg, has signed in as
 * anna and used sudo. A name that says nothing new is left out.
 *
 * @throws Trouble where `--as` is no name
 */
export function describeOperator({ given, sudoUser, user, host }: KnownOperator): string {
  if (given !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N}\p{M} .,'_+@-]{0,59}$/u.test(given)) {
    throw new Trouble("--as is a name of up to 60 letters, digits, blanks and . , ' _ + @ -");
  }
  const names = [given, sudoUser && plain(sudoUser), plain(user)].filter((name) => name !== undefined && name !== '');
  return `${[...new Set(names)].join('/')}@${plain(host)}`;
}

/** The environment and the machine may say anything, a card number too. */
function plain(name: string): string {
  return name.replaceAll(/[^\w.-]|\d{12,}/g, '?').slice(0, SYSTEM_NAME_CHARACTERS);
}

/**
 * Whether a command has to be told who runs it, in production: it makes, shows or ends what lets a caller in or reads card data,
 * books or corrects what has been booked, makes money on cards and accounts or tokens that cards are charged by, or sets what a
 * payee's pages and people may do.
 *
 * @param path the words of the command, without what it is given
 */
export function wantsName(path: readonly string[]): boolean {
  return WITH_NAME.includes(path.join(' '));
}

const WITH_NAME: readonly string[] = [
  'keys rotate',
  'keys export',
  'keys seal',
  'keys import',
  'access-tokens create',
  'access-tokens rotate',
  'access-tokens revoke',
  'oauth-clients create',
  'oauth-clients revoke',
  'hmac-keys create',
  'hmac-keys rotate',
  'hmac-keys revoke',
  'portal-users create',
  'portal-users invite',
  'portal-users disable',
  'portal-users enable',
  'callback-secret show',
  'callback-secret rotate',
  'webhooks create',
  'webhooks rotate-secret',
  'settlements close',
  'settlements import',
  'settlements resolve',
  'settlements withdraw',
  'settlements seen',
  'disputes accept',
  'disputes represent',
  'disputes close',
  'acquirers abandon',
  'background retry',
  'accounts create',
  'payees set',
  'payees suspend',
  'payees resume',
  'payees close',
  'credentials revoke',
  'tokens import',
  'gift-cards issue',
  'gift-cards import',
  'gift-cards sweep',
  'gift-cards block',
  'gift-cards unblock',
  'gift-cards replace',
  'gift-cards merge',
  'gift-cards void',
  'gift-cards extend',
  'gift-cards restore',
  'gift-card-products set',
  'payers show',
  'payers export',
  'payers erase',
];
