import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import type { Sought } from '../support/prober/scanner.ts';
import type { Bait } from './bait.ts';
import { disguised } from './disguise-attacks.ts';
import { type Attack, attackBy, type Request, type Target } from './requests.ts';

/** Codes of four digits are sought behind the field's name, this one by itself. */
const CODE = '7391';
const LONG_CODE = '918273640519';
/** The bait has no number whose holder has to be authenticated. */
const AUTHENTICATED = withCheckDigit('476173314159265');
const PAYMENTS = '/psp/creditcard/payments';
/** One text of the page gets every fifth disguise: in `npm run test:fuzz` all. */
const SHARES = process.env['TEST_LEAK'] === 'all' ? 1 : 5;

/** What no page may have shown beside the numbers. */
export const PAGE_SECRETS: readonly Sought[] = [{ name: 'a long code on the page', value: LONG_CODE, kind: 'secret' }];

/**
 * Pays on pages with card numbers where they belong, and with card numbers where they do not.
 *
 * @returns the status of each form's answer, behind its name
 */
export async function attackPages(
  target: Target,
  bait: Bait,
  exchange: (attack: Attack) => Promise<Buffer>,
): Promise<readonly string[]> {
  const statuses: string[] = [];
  const send = (name: string, request: Request) => exchange(attackBy(name, request, target));
  const open = async (amount: number, members: object = {}): Promise<string> => {
    const payment = {
      operation: 'Purchase',
      currency: 'NOK',
      prices: [{ type: 'CreditCard', amount }],
      language: 'en-US',
      ...members,
    };
    const answer = await send('a payment', { method: 'POST', path: PAYMENTS, body: JSON.stringify({ payment }) });
    return /"(?:https?:\/\/[^/"]+)(\/pay\/[^"/]+\/[^"/]+)"/.exec(answer.toString())?.[1] ?? 'none';
  };
  const post = async (name: string, path: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const accept of ['text/html', 'application/json']) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: accept };
      const body = new URLSearchParams(fields).toString();
      const answer = await send(`page: ${name}`, { method: 'POST', path, headers, body });
      statuses.push(`${name}: ${answer.subarray(9, 12)}`);
    }
  };
  const good = (number: string) => ({
    number,
    expiry: '12/39',
    cvc: CODE.slice(0, number.startsWith('37') ? 4 : 3),
    name: 'Olivia',
    consent: 'yes',
  });

  await post('paid', await open(100), good(bait.number('page: paid')));
  const stored = { generatePaymentToken: true, payerReference: 'page-leak' };
  await post('stored', await open(100, stored), good(bait.number('page: stored')));
  await post('declined', await open(900351), good(bait.number('page: declined')));
  await post('fraud', await open(900334), good(bait.number('page: fraud')));
  await post('unanswered', await open(900304), good(bait.number('page: unanswered')));
  const challenged = await open(100);
  await post('3-D Secure', challenged, good(AUTHENTICATED));
  await send('page: challenge', { method: 'GET', path: `${challenged}/challenge` });
  await post('challenge', `${challenged}/finish`, { cvc: '123' });
  const page = await open(100);
  await post('wrong code', page, { ...good(bait.number('page: wrong code')), cvc: LONG_CODE });
  for (const field of ['expiry', 'cvc', 'name', 'card', 'attempt', 'consent', 'elsewhere']) {
    const number = bait.number(`page: as ${field}`);
    await post(`as ${field}`, page, { ...good(bait.number(`page: beside ${field}`)), expiry: '1/20', [field]: number });
    await send(`page: ${field} in the query`, { method: 'GET', path: `${page}?${field}=${number}` });
  }
  for (const { name, text } of disguised(bait).filter((_, index) => index % SHARES === 0)) {
    await post(`disguised as name, ${name}`, page, { ...good(bait.number('page: beside a disguise')), name: text });
  }
  await post('as token', `${page}/remove`, { token: bait.number('page: as token') });
  await post('as method', `${page}/authenticate`, {
    method: bait.number('page: as method'),
    tz: bait.number('page: as tz'),
  });
  await post('as closed', `${page}/finish`, { closed: bait.number('page: as closed') });
  await send('page: as language', { method: 'GET', path: `${page}?language=${bait.number('page: as language')}` });
  await send('page: as secret', { method: 'GET', path: `/pay/x/${bait.number('page: as secret')}` });
  return statuses;
}

function withCheckDigit(payload: string): string {
  const check = [...'0123456789'].find((digit) => passesLuhn(payload + digit));
  return `${payload}${check}`;
}
