import { randomBytes } from 'node:crypto';
import type { SandboxAccount, SandboxAccounts, SandboxTestCard } from '../../../sandbox/seeds/ensure-accounts.ts';
import { OWN_PREFIX } from '../../../src/issuers/issuers.rules.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { maskCardNumber, passesLuhn } from '../../../src/kit/cards/card-number.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { type AmountMinor, amountMinor, type Currency } from '../../../src/kit/money.ts';
import { Secret } from '../../../src/kit/secret.ts';
import { openAccount } from '../../../src/ledger/accounts/open-account.ts';
import type { AccountDraft } from '../../../src/ledger/accounts/open-account.types.ts';
import type { Answer, TestService } from '../service.ts';

/** What a shop does with accounts in a test, over HTTP. */
export interface AccountsShop {
  readonly nok: SandboxAccount;
  readonly sek: SandboxAccount;
  readonly testCards: readonly SandboxTestCard[];
  /** Opens a stored-value account that holds so much; `newId` gives out its id first. */
  open(balance: number, terms?: Partial<AccountDraft>, newId?: () => string): Promise<OpenedAccount>;
  /** Sends an authorize, purchase, deposit or credit; members that are undefined are left out. */
  pay(verb: NewPaymentVerb, account: PayableAccount, members: Members): Promise<Answer>;
  /** Sends a capture, cancel or reversal of a payment. */
  follow(verb: 'capture' | 'cancel' | 'reversal', payment: Paid, members: Members): Promise<Answer>;
  /** The account of a card of the external issuer, by asking for its balance. */
  firstSight(accountKey: string): Promise<PayableAccount>;
  /** What is available on an account, by asking. */
  balance(account: PayableAccount): Promise<number>;
}

export type NewPaymentVerb = 'authorize' | 'purchase' | 'deposit' | 'credit';
export type Members = Readonly<Record<string, unknown>>;

export interface PayableAccount {
  readonly paymentAccountId: string;
  readonly accountKey: string;
  readonly currency?: string;
}

export interface OpenedAccount extends PayableAccount {
  readonly currency: string;
}

/** A payment, by what its answer says. */
export interface Paid {
  readonly paymentAccountId: string;
  readonly paymentId: string;
  readonly paymentOrderRef: string;
}

/** A reference that is not used elsewhere. Letters alone: one in some thousand runs of digits would be a card number. */
export function newReference(): string {
  const letters = [...randomBytes(9)].map((byte) => byte.toString(26).padStart(2, '0'));
  return `ref-${letters.join('').replace(/[0-9]/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}`;
}

/** Opens a shop on a running service. */
export function accountsShop(kontor: TestService): AccountsShop {
  const { accounts, testCards } = kontor as unknown as SandboxAccounts;
  const [nok, sek] = accounts;
  if (nok === undefined || sek === undefined) throw new Error('the sandbox has two accounts');
  return {
    nok,
    sek,
    testCards,
    open: (balance, terms, newId = kontor.service.accounts.newId) => openAnAccount(kontor, { balance, terms, newId }),
    pay: (verb, { paymentAccountId, accountKey, currency = 'NOK' }, members) =>
      kontor.send('POST', `/api/payments/payment-account/${paymentAccountId}/payment/${verb}`, {
        body: {
          accountIdentifier: { accountKey },
          currency,
          merchant: { merchantName: 'Kiosk' },
          paymentOrderRef: newReference(),
          paymentTransactionRef: newReference(),
          ...members,
        },
      }),
    follow: (verb, { paymentAccountId, paymentId, paymentOrderRef }, members) =>
      kontor.send('POST', `/api/payments/payment-account/${paymentAccountId}/payment/${paymentId}/${verb}`, {
        body: { paymentOrderRef, paymentTransactionRef: newReference(), ...members },
      }),
    firstSight: async (accountKey) => {
      const { accountId } = await summary(kontor, accountKey);
      return { paymentAccountId: accountId, accountKey };
    },
    balance: async ({ accountKey }) => (await summary(kontor, accountKey)).balance,
  };
}

async function summary(
  kontor: TestService,
  accountKey: string,
): Promise<{ readonly accountId: string; readonly balance: number }> {
  const body = { accountIdentifier: { accountKey } };
  const answer = await kontor.send('POST', '/api/payments/payment-account/balance', { body });
  return answer.body.paymentAccount.accountSummary;
}

/** What follows an answer up needs of it. */
export function paid({ paymentAccountId }: PayableAccount, { body }: Answer): Paid {
  return { paymentAccountId, paymentId: body.paymentId, paymentOrderRef: body.paymentOrderRef };
}

/** Opens a stored-value account of a payee, with the money on it. */
export async function openAnAccount(
  { service, payeeId }: Pick<TestService, 'service' | 'payeeId'>,
  {
    balance,
    terms = {},
    newId,
  }: {
    readonly balance: number;
    readonly terms?: Partial<AccountDraft> | undefined;
    /** Gives out the account's id first. */
    readonly newId: () => string;
  },
): Promise<OpenedAccount> {
  const number = terms.number?.reveal() ?? ownNumber();
  const currency = (terms.currency ?? 'NOK') as Currency;
  const draft: AccountDraft = {
    payeeId: payeeId as PayeeId,
    number: new Secret(number),
    kind: 'StoredValue',
    instrument: 'giftcard',
    issuer: 'ledger',
    currency,
    numberMasked: maskCardNumber(number),
    expiresOn: null,
    cvcRequired: false,
    cvcKeyId: null,
    cvcSequence: 0,
    allowedProductIds: [],
    largestBalance: null,
    openingBalance: amountMinor(balance) as AmountMinor,
    ...terms,
  };
  const account = await service.database.transact((transaction) =>
    openAccount(transaction, { ...service.accounts, newId }, { draft, actor: COMMAND_LINE }),
  );
  return { paymentAccountId: account.accountId, accountKey: number, currency };
}

/** A random number with our own prefix and a Luhn digit. */
export function ownNumber(): string {
  const body = OWN_PREFIX + String(randomBytes(6).readUIntBE(0, 6) % 1_000_000_000).padStart(9, '0');
  const digit = Array.from('0123456789').find((candidate) => passesLuhn(body + candidate));
  return `${body}${digit}`;
}
