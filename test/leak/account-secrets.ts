import type { SandboxAccount } from '../../sandbox/seeds/ensure-accounts.ts';
import type { Sought } from '../support/prober/scanner.ts';
import { type Attack, attackBy, type Request, type Target } from './requests.ts';

const ACCOUNTS = '/api/payments/payment-account';
const PIN_BLOCK = 'CA7A51E0DDBA11FEC0FFEE5EED0DDB17';
const DISCRETIONARY = '773412349876541';
/** Codes of four digits stand in too many places to be sought alone; with the member's name before them they do not. */
const CODES = { cvc: '7391', securityCode: '8264' };
/** Too long to be a code: refused, and long enough to be sought alone. */
const LONG_CODES = { cvc: '739182640519', securityCode: '826473910528' };

/** Everything about a card that no answer, log or table may hold. */
export function accountSecrets({ accountKey }: SandboxAccount): Sought[] {
  const secret = (name: string, value: string): Sought => ({ name, value, kind: 'secret' });
  return [
    { name: "an account's number", value: accountKey, kind: 'card number' },
    secret('a PIN block', PIN_BLOCK),
    secret('discretionary data of track 2', DISCRETIONARY),
    ...Object.entries(LONG_CODES).map(([name, code]) => secret(`a long ${name}`, code)),
    ...Object.entries(CODES).flatMap(([name, code]) =>
      ['":"', '": "', '\\":\\"', '=', ':', ' '].map((between) => secret(`a ${name}`, `${name}${between}${code}`)),
    ),
  ];
}

/** Makes a payment through each route that there is, and attacks with secrets in the good request and in bad ones. */
export async function attackAccounts(
  account: SandboxAccount,
  target: Target,
  exchange: (attack: Attack) => Promise<Buffer>,
): Promise<void> {
  let sent = 0;
  const send = async (name: string, request: Request): Promise<Buffer> =>
    exchange(attackBy(`${name}: ${request.method} ${request.path}`, request, target));
  const reference = () => `secret-${++sent}`;
  const { paymentAccountId, currency = 'NOK' } = account;
  const order = { paymentOrderRef: 'order-1', merchant: { merchantName: 'Kiosk' } };
  /** A route with a body: once as it should be, and once for each way to get it wrong. */
  const post = async (path: string, members: object, codes: Codes = {}): Promise<FollowedUp> => {
    const body = (identifier: unknown) => ({
      ...members,
      ...order,
      paymentTransactionRef: reference(),
      accountIdentifier: identifier,
    });
    const request = (value: unknown): Request => ({
      method: 'POST',
      path,
      body: typeof value === 'string' ? value : JSON.stringify(value),
    });
    // First: what follows an operation up has no identifier, so the others are done, too, as long as they can be.
    const answer = await send('good', request(body(secretsOf(account, codes))));
    for (const [name, identifier] of Object.entries(badIdentifiers(account, codes))) {
      await send(name, request(body(identifier)));
    }
    await send('another currency', request({ ...body(secretsOf(account, codes)), currency: 'XYZ' }));
    await send('cut off', request(JSON.stringify(body(secretsOf(account, codes))).slice(0, -1)));
    await send('a wrong signature', {
      ...request(body(secretsOf(account, codes))),
      headers: { Hmac: 'HmacSHA512 x:y:z' },
    });
    await send('without its codes', request(body({ accountKey: account.accountKey })));
    return jsonOf(answer);
  };
  const get = async (path: string): Promise<void> => {
    const query = new URLSearchParams({ ...secretsOf(account, CODES), paymentTransactionRef: 'secret-1' });
    await send('secrets in the query', { method: 'GET', path: `${path}?${query}` });
  };

  await post(`${ACCOUNTS}/balance`, {});
  const opened = await send('plain', {
    method: 'POST',
    path: `${ACCOUNTS}/${paymentAccountId}/payment/authorize`,
    body: JSON.stringify({
      ...order,
      amount: 1000,
      currency,
      paymentTransactionRef: reference(),
      accountIdentifier: { accountKey: account.accountKey },
    }),
  });
  const payment = `${ACCOUNTS}/${paymentAccountId}/payment/${jsonOf(opened).paymentId}`;
  const { transactionId } = await post(`${payment}/capture`, { amount: 10 }, CODES);
  await post(`${payment}/reversal`, { amount: 5 }, CODES);
  const { operationId } = await post(`${payment}/cancel`, {}, CODES);
  await get(payment);
  await get(`${payment}/transactions/${transactionId}`);
  await get(`${payment}/operations/${operationId}`);
  await get(`${ACCOUNTS}/transactions`);
  // Last: the codes are wrong, and five strikes block the account.
  for (const verb of ['authorize', 'purchase', 'deposit', 'credit']) {
    await post(`${ACCOUNTS}/${paymentAccountId}/payment/${verb}`, { amount: 10, currency }, CODES);
  }
}

interface FollowedUp {
  readonly paymentId?: string;
  readonly transactionId?: string;
  readonly operationId?: string;
}

type Codes = Readonly<Partial<typeof CODES>>;

function secretsOf({ accountKey }: SandboxAccount, codes: Codes): Readonly<Record<string, string>> {
  return { accountKey, ...codes, encryptedPin: PIN_BLOCK, track2: `${accountKey}=3912101${DISCRETIONARY}` };
}

/** Identifiers that are refused, each with the secret where it should not be. */
function badIdentifiers(account: SandboxAccount, codes: Codes): Readonly<Record<string, unknown>> {
  const good = secretsOf(account, codes);
  return {
    'codes that are too long': { ...good, ...LONG_CODES },
    'codes that are too long, as numbers': {
      ...good,
      cvc: Number(LONG_CODES.cvc),
      securityCode: Number(LONG_CODES.securityCode),
    },
    'a PIN block that is too long': { ...good, encryptedPin: PIN_BLOCK.repeat(9) },
    'a PIN block in a list': { ...good, encryptedPin: [PIN_BLOCK] },
    'a track 2 with its sentinels': { ...good, track2: `;${good['track2']}?` },
    'a track 2 in an object': { ...good, track2: { [String(good['track2'])]: good['track2'] } },
    'secrets in the wrong places': { ...good, accountId: DISCRETIONARY, expiryDate: PIN_BLOCK },
    'no object': JSON.stringify(good),
  };
}

function jsonOf(answer: Buffer): FollowedUp {
  const text = answer.toString();
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return text.startsWith('HTTP/1.1 200') ? (JSON.parse(body) as FollowedUp) : {};
}
