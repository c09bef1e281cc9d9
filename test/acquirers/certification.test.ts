import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { scannerFor } from '../support/prober/scanner.ts';

// With the real commands: the plan that comes along, at the test acquirer.

const PLAN = join(import.meta.dirname, '../../examples/certification.json');
const EXAMPLE = JSON.parse(readFileSync(PLAN, 'utf8'));

let kontor: Acquiring;
let port: number;
let journal: string;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  ({ port } = await kontor.simulate('--answer-ms', '2000', '--journal', journal));
  configure({});
}, 120_000);
afterAll(() => kontor.remove());

function configure(others: object): void {
  kontor.configure({ acquirers: [simulated(port, others)], agreements: [agreed(kontor.payeeId)] });
}

const certify = (plan: string, ...options: string[]) =>
  kontor.installation.kontor(['acquirers', 'certify', '--plan', plan, ...options]);

/** A plan of one case beside the service. */
function planOf(steps: readonly object[], others: object = {}): string {
  const path = join(kontor.installation.folder, 'plan.json');
  writeFileSync(path, JSON.stringify({ ...EXAMPLE, cases: [{ name: 'One', steps }], ...others }));
  return path;
}

test('the example is as expected, and its log has each message, masked', async () => {
  const { status, stdout, stderr } = await certify(PLAN);
  expect(status, stdout + stderr).toBe(0);
  expect(stdout.match(/^=== Case \d+: .*: as expected$/gm)).toHaveLength(EXAMPLE.cases.length);
  expect(stdout).toContain(`All ${EXAMPLE.cases.length} cases are as expected.`);
  expect(stdout).toContain('destroy the file');
  expect(stdout).toMatch(/^--- Step 1: Authorize: Silence; taken back: TakenBack$/m);
  expect(stdout).toMatch(/ sent 1420$/m);
  expect(stdout).toMatch(/^ {4}2 {2}cardNumber +492500\*{6}0004$/m);
  expect(stdout).toMatch(/^ +\d+ {2}cvc +\*\*\*$/m);
  const scanner = scannerFor([{ name: 'number', value: '4925000000000004', kind: 'card number' }]);
  expect(scanner.scan(Buffer.from(stdout))).toEqual([]);
  expect(scanner.scan(Buffer.from(stdout.replace('492500******0004', '4925000000000004')))).not.toEqual([]);

  const received = journalLines(journal).filter(({ event }) => event === 'received');
  // The terminal is the plan's alone: no number of it is one of a payment's.
  const terminals = received.flatMap(({ fields }) => fields['terminalId']?.trim() ?? []);
  expect(new Set(terminals)).toEqual(new Set(['CERT0001']));
  // Each message that came is in the log.
  expect(stdout.match(/ {2}sent \d{4}$/gm)?.length).toBeGreaterThanOrEqual(received.length - 2);
  const stans = received.filter(({ type }) => type === '1100').map(({ fields }) => fields['stan']);
  expect(new Set(stans).size).toBe(stans.length);
  // Nothing of it is in our books.
  const stored = 'select from acquirer_exchange union all select from issuer_attempt';
  expect(await kontor.database.asAdmin(stored)).toEqual([]);
}, 120_000);

test('an authorization carries what a case says of 3-D Secure, and its log no proof', async () => {
  const authenticationValue = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
  const dsTransactionId = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e';
  const step = { does: 'Authorize', card: 'visa', amount: 2_000 };
  const authentication = { version: '2.2.0', transStatus: 'Y', eci: '05', authenticationValue, dsTransactionId };
  const expect129 = { outcome: 'Declined', actionCode: '129' };
  const plan = planOf([
    { ...step, authentication, expect: expect129 },
    { ...step, exemption: 'LowValue' },
  ]);
  expect(await certify(plan)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('steps[1].exemption is not among the exemptions'),
  });
  configure({ exemptions: ['LowValue'] });
  const { status, stdout, stderr } = await certify(plan);
  configure({});
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/ eci +05$/m);
  expect(stdout).toMatch(new RegExp(` dsTransactionId +${dsTransactionId}$`, 'm'));
  expect(stdout).toMatch(/ threeDSVersion +2\.2\.0$/m);
  expect(stdout).toMatch(/ authenticationValue +\*\*\*$/m);
  expect(stdout).toMatch(/ exemption +LV$/m);
  expect(stdout).not.toContain(authenticationValue);
}, 60_000);

test('a case that differs is told, the others go on, and the status is 1', async () => {
  const wrong = { does: 'Authorize', card: 'visa', amount: 900_351, expect: { actionCode: '000', approvalCode: true } };
  const silent = {
    does: 'Authorize',
    card: 'visa',
    amount: 1_000,
    expect: { outcome: 'Silence', takenBack: 'TakenBack' },
  };
  const cases = [wrong, silent, { does: 'Echo' }].map((step, index) => ({ name: `Case ${index}`, steps: [step] }));
  const { status, stdout, stderr } = await certify(planOf([], { cases }), '--json');
  expect([status, stderr]).toEqual([1, 'kontor: 2 of 3 cases differ: Case 0, Case 1.\n']);
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({ agreement: 'demo-nok', terminalId: 'CERT0001' });
  expect(told.cases.map(({ isAsExpected }: { isAsExpected: boolean }) => isAsExpected)).toEqual([false, false, true]);
  expect(told.cases[0].steps[0].differences).toEqual([
    'the outcome is Declined, and Approved was expected',
    'the action code is 100, and 000 was expected',
    'an approval code is missing, and there was expected',
  ]);
  expect(told.cases[1].steps[0].differences).toEqual([
    'the outcome is Approved, and Silence was expected',
    'the take-back is not there, and TakenBack was expected',
  ]);
  expect(told.cases[0].steps[0].messages.map(({ type }: { type: string }) => type)).toEqual([
    '1804',
    '1814',
    '1100',
    '1110',
  ]);
}, 60_000);

test('what cannot be run is status 2, says why by its place, and sends nothing', async () => {
  const step = { does: 'Authorize', card: 'visa', amount: 1 };
  const before = readFileSync(journal, 'utf8');
  for (const [plan, said] of [
    [planOf([{ ...step, card: 'other' }]), /plan\.json: cases\[0\]\.steps\[0\]\.card names no card of cards\.$/m],
    ['nothing.json', /^kontor: The file nothing\.json cannot be read\.$/m],
  ] as const) {
    const { status, stderr } = await certify(plan);
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
  for (const [others, said] of [
    [{ agreement: 'unknown' }, /^kontor: The plan: agreement is none of the file of acquirers\.$/m],
    [{ terminalId: 'WEB00001' }, /^kontor: The plan: terminalId is a terminal of an agreement/m],
  ] as const) {
    const { status, stderr } = await certify(planOf([step], others));
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
  const credit = await certify(planOf([{ ...step, does: 'Credit' }]));
  expect([credit.status, credit.stderr]).toEqual([2, expect.stringContaining('cases[0].steps[0].does is not among')]);
  expect(await kontor.installation.kontor(['acquirers', 'certify'])).toMatchObject({ status: 2 });
  expect(readFileSync(journal, 'utf8')).toBe(before);
}, 60_000);

test('an acquirer that has taken payments is left alone, unless that is asked for', async () => {
  const { baseUrl, started } = await kontor.serve();
  const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));
  expect((await shop.authorize(1_000)).tried.body.authorization.transaction.state).toBe('Completed');
  started.process.kill('SIGTERM');
  await started.ended;
  const plan = planOf([{ does: 'Echo' }]);
  // A test host of ours is one in any case.
  expect(await certify(plan)).toMatchObject({ status: 0 });
  configure({ testHost: false });
  const refused = await certify(plan);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Payments have been made at the acquirer north'),
  ]);
  // It goes on to the line then, where the host says that it is a test host.
  const tried = await certify(plan, '--despite-payments');
  expect([tried.status, tried.stderr]).toEqual([1, expect.stringContaining('Acquirer north: not connected')]);
}, 60_000);

test('a sign-on that is not answered is a step that differs, and the cases behind it are carried out', async () => {
  const script = join(kontor.installation.folder, 'script.ndjson');
  // Behind the first sign-on and its sign-off.
  writeFileSync(script, JSON.stringify({ type: '1804', number: 3, does: 'NoAnswer' }));
  const silent = await kontor.simulate('--script', script);
  kontor.configure({ acquirers: [simulated(silent.port)], agreements: [agreed(kontor.payeeId)] });
  const cases = [
    { name: 'Refused', steps: [{ does: 'SignOn' }] },
    { name: 'Taken', steps: [{ does: 'SignOn' }, { does: 'Echo' }] },
  ];
  const { status, stderr } = await certify(planOf([], { cases }));
  expect([status, stderr]).toEqual([1, 'kontor: 1 of 2 cases differ: Refused.\n']);
}, 60_000);
