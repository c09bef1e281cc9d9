import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, installSandbox } from '../support/kontor.ts';
import { PROJECT, readPage, scriptOf } from './pages.ts';

const SET_UP = ['npm ci && npm start', 'npm ci && npm test'];

test('the README has exactly two set-up commands, each on one line', () => {
  const commands = [...readPage('README.md').matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line);
  expect(commands).toEqual(SET_UP);
});

test('what checks a change runs what the README tells, and nothing else', () => {
  const commands = readFileSync(join(PROJECT, '.ci/run'), 'utf8').match(/\b(npm|npx|node)\b.*/g);
  expect(commands?.filter((line) => !line.startsWith('npm ci && npm test'))).toEqual([]);
  expect(commands).toHaveLength(1);
});

/** The walks are for people with a shell and curl; the service itself needs neither. */
describe.skipIf(!hasCurl())('as a newcomer', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await installSandbox();
    await installation.ready();
  });
  afterAll(() => installation.remove());

  test.each([
    [
      'README.md',
      'anna',
      [
        '"tokenlist":[]',
        '"migratedFromConsumerProfile":true',
        'The blue card',
        'Archived',
        '"remainingCaptureAmount":12500',
        '/pay/',
      ],
    ],
    [
      'docs/account-payments.md',
      'nobody',
      ['"create-authorization"', '"operation":"Reversal"', '"cancellations"', '"status":"done"', 'All sides together'],
    ],
    [
      'docs/gift-cards.md',
      'nobody',
      ['"balance":60000', '"operation":"Reversal"', '"paymentInstrumentType":"giftcard"', '"accountSummaryGiftCard"'],
    ],
    ['docs/webhooks.md', 'nobody', ['"secret":"whsec_', '"eventList":[', '"deliveryList":[', '"state":"Deleted"']],
    [
      'docs/card-payments.md',
      'nobody',
      ['"direct-authorization"', '"recurrenceToken"', '"type":"Reversal"', '"operation":"Recur"'],
    ],
    [
      'docs/payment-orders.md',
      'nobody',
      ['"redirect-checkout"', '/pay/', '"amount":20000', '"abortReason":"SoldOut"', '"status":"Aborted"'],
    ],
    ['docs/client.md', 'nobody', ['Captured 1500: Completed', 'inputerror: url']],
    ['docs/tokens.md', 'berit', ['"correlationsId"', 'Card of the firm', '"isDeleted":true', '"paymentToken"']],
  ])('the lines of %s do what the page says', async (page, payer, words) => {
    // A refusal would else pass unseen.
    const curl = 'curl() { command curl --fail-with-body "$@"; echo; }';
    // npm takes longer than the command that it starts: it does so for the README.
    const npm = 'npm() { [ "$1 $2 $3 $4" = "run -s kontor --" ] && shift 4 && node dist/main.js "$@"; }';
    const script = [curl, ...(page === 'README.md' ? [] : [npm]), scriptOf(page)].join('\n');
    const outcome = await installation.run(['bash', '-euo', 'pipefail', '-c', script]);
    expect(outcome.stderr, outcome.stdout.split('\n').at(-2)).toBe('');
    expect(outcome.status, outcome.stdout.split('\n').at(-2)).toBe(0);
    for (const word of words) expect(outcome.stdout).toContain(word);
    const { baseUrl, payeeId, accessToken } = await installation.ready();
    const left = await fetch(`${baseUrl}/online/payer/payees/${payeeId}/payers/${payer}/tokens`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(await left.json()).toMatchObject({ tokens: { tokenlist: [] } });
  });
});

function hasCurl(): boolean {
  try {
    return execFileSync('curl', ['--version'], { encoding: 'utf8' }).startsWith('curl');
  } catch {
    return false;
  }
}
