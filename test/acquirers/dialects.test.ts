import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessDayOf } from '../../src/issuers/acquirers/business-day.rules.ts';
import { addDays } from '../../src/kit/instants.ts';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { FAR_CUT_OVER } from '../support/issuer/cut-over.ts';
import { testCardNumber } from '../support/numbers.ts';
import { until } from '../support/until.ts';

// The same script for each dialect that comes along as a file: one service, an acquirer and a currency for each.

const KEY = '0123456789abcdeffedcba9876543210';
const DIALECTS = [
  { name: 'iso87', currency: 'SEK', capture: '0220', takeBack: '0420', network: '0800', ok: '00', hasTotals: false },
  {
    name: 'cmf2003',
    currency: 'DKK',
    capture: '2220',
    takeBack: '2420',
    network: '2804',
    ok: '0000',
    hasTotals: false,
  },
  { name: 'h2h93', currency: 'EUR', capture: '1220', takeBack: '1420', network: '1820', ok: '900', hasTotals: true },
] as const;

let kontor: Acquiring;
let baseUrl: string;
const journalOf = (name: string) => join(kontor.installation.folder, `${name}.ndjson`);

beforeAll(async () => {
  kontor = await acquiring();
  kontor.keep('seal', { cert: '', key: KEY });
  const hosts = await Promise.all(
    DIALECTS.map(async ({ name, currency, hasTotals }) => {
      const dialect = join(import.meta.dirname, `../../examples/dialect-${name}.json`);
      const key = name === 'h2h93' ? ['--mac-key', kontor.beside('seal.key')] : [];
      const { port } = await kontor.simulate(
        ...['--dialect', dialect, '--answer-ms', '2000', '--journal', journalOf(name), ...key],
      );
      const sealed = name === 'h2h93' ? { macKey: 'seal.key' } : {};
      const others = { id: name, dialect, reconciliation: hasTotals, ...sealed };
      const agreement = { id: name, acquirer: name, currencies: [currency], terminalIds: [name.toUpperCase()] };
      return { acquirer: simulated(port, others), agreement: agreed(kontor.payeeId, agreement) };
    }),
  );
  kontor.configure({
    acquirers: hosts.map(({ acquirer }) => acquirer),
    agreements: hosts.map(({ agreement }) => agreement),
  });
  ({ baseUrl } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

describe.each(DIALECTS)('in $name', ({ name, currency, capture, takeBack, network, ok }) => {
  const turn = DIALECTS.findIndex((one) => one.name === name);
  const journal = () => readFileSync(journalOf(name), 'utf8');
  const { authorize, books, walk } = acquiringShop(() => ({
    baseUrl,
    accessToken: kontor.accessToken,
    journal: journalOf(name),
  }));
  // A card for each amount and dialect: one that was called stolen is not charged again.
  const pay = (amount: number) => authorize(amount, testCardNumber(8 * (amount + 1_000_000 * turn)), { currency });
  const stateOf = ({ tried }: Awaited<ReturnType<typeof pay>>) => tried.body.authorization?.transaction.state;

  test('a payment is authorized, captured in part, released and refunded, and both books say the same', async () => {
    await walk({ currency });
    const sent = journalLines(journalOf(name));
    const received = sent.filter(({ event }) => event === 'received').map(({ type }) => type);
    expect(received).toContain(network);
    expect(received).toContain(capture);
    const captured = sent.find(({ event, type }) => event === 'sent' && type === `${capture.slice(0, 2)}30`);
    expect(captured?.fields['actionCode']).toBe(ok);
  });

  test('a payment that was not answered is taken back', async () => {
    expect(stateOf(await pay(900304))).toBe('Failed');
    await until(() => journal().includes('"change":"TakeBack"'), 20_000);
    expect(books()).toEqual([0, 0, 0]);
    const told = journalLines(journalOf(name)).findLast(({ event, type }) => event === 'received' && type === takeBack);
    expect(told?.fields['amount']).toBe('000000900304');
  }, 30_000);

  test.each([
    [900343, 'acquirercardstolen'],
    [900351, 'carddeclined'],
    [900354, 'acquirercardexpired'],
    [900361, 'acquirerinsufficientfunds'],
    [900391, 'acquirergatewayerror'],
  ])('%i is declined, as %s', async (amount, problem) => {
    expect(JSON.stringify((await pay(amount)).tried.body)).toContain(`/${problem}`);
  });

  test.each([900309, 900319, 900320])(
    '%i: what is not known is taken back',
    async (amount) => {
      const takeBacks = () => journal().match(/"change":"TakeBack"/g)?.length ?? 0;
      const before = takeBacks();
      expect(stateOf(await pay(amount))).toBe('Failed');
      await until(() => takeBacks() > before, 20_000);
      expect(books()).toEqual([0, 0, 0]);
    },
    40_000,
  );

  test('a line that writes byte by byte, and an answer that is glued to an echo, are read', async () => {
    for (const amount of [900317, 900318]) expect(stateOf(await pay(amount))).toBe('Completed');
  });

  test('the host begins its next day', async () => {
    expect(stateOf(await pay(900342))).toBe('Completed');
    const days = () => kontor.database.asAdmin(`select day::text as day from acquirer_day where acquirer = '${name}'`);
    await until(async () => (await days()).length === 1);
    const today = businessDayOf(Date.now(), { cutOver: FAR_CUT_OVER, timeZone: 'Europe/Oslo' });
    expect(await days()).toEqual([{ day: addDays(today, 1) }]);
    expect(stateOf(await pay(100))).toBe('Completed');
  });

  test('no number is in the journal', () => {
    expect(journal()).not.toMatch(/\b4925\d{12}\b/);
  });
});
