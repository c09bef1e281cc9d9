import { describe, expect, test } from 'vitest';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import type { Agreement } from './acquirers.types.ts';
import { ACQUIRER_DEFAULTS } from './file/acquirers-file.rules.ts';
import { type Route, readyFirst, routesFor, type Wanted } from './routing.rules.ts';

const AGREEMENT: Agreement = {
  id: 'a',
  payeeId: '0195b2a0-0000-7000-8000-000000000001' as PayeeId,
  acquirer: 'north',
  priority: 1,
  merchantId: '1',
  terminalIds: ['1'],
  mcc: '5732',
  merchant: { name: '', street: '', city: '', postalCode: '', country: 'NOR' },
  currencies: ['NOK'],
  brands: ['Visa'],
  bins: [],
  closed: false,
  threeDS: {},
  allowNo3DSecure: false,
};

function route(id: string, others: Partial<Agreement> = {}, operations = ACQUIRER_DEFAULTS.operations): Route {
  return { agreement: { ...AGREEMENT, id, ...others }, operations };
}

const VISA: Wanted = { operation: 'Authorize', currency: 'NOK', brand: 'Visa', number: new Secret('4925000000000004') };
const idsFor = (routes: readonly Route[], wanted: Partial<Wanted> = {}) =>
  routesFor(routes, { ...VISA, ...wanted }).map(({ agreement }) => agreement.id);

describe('an agreement takes a card', () => {
  test.each<[string, Partial<Agreement>, Partial<Wanted>, boolean]>([
    ['of its currency and brand', {}, {}, true],
    ['but not in another currency', {}, { currency: 'SEK' }, false],
    ['but not of another brand', {}, { brand: 'Amex' }, false],
    ['but not of a brand that is not known', {}, { brand: undefined }, false],
    ['but for nothing new once it is closed', { closed: true }, {}, false],
    ['whose BIN it names', { bins: ['51', '4925'] }, {}, true],
    ['but not with another BIN', { bins: ['4926', '51'] }, {}, false],
    ['that is not known yet, in its currency', { bins: ['4926'] }, { brand: undefined, number: undefined }, true],
    ['that is not known yet, but not in another', {}, { currency: 'SEK', brand: undefined, number: undefined }, false],
    ['whose currency is not known yet', {}, { currency: undefined }, true],
    ['but not by mail or phone without a terminal for that', {}, { channel: 'MailOrPhone' }, false],
    [
      'but not by mail or phone with a terminal for something else',
      { terminalChannels: { 1: ['Merchant', 'Terminal'] } },
      { channel: 'MailOrPhone' },
      false,
    ],
    [
      'by mail or phone with a terminal for that',
      { terminalChannels: { 1: ['Merchant', 'MailOrPhone'] } },
      { channel: 'MailOrPhone' },
      true,
    ],
  ])('%s', (_name, agreement, wanted, isTaken) => {
    expect(idsFor([route('a', agreement)], wanted)).toEqual(isTaken ? ['a'] : []);
  });

  test('but not for what its acquirer does not do', () => {
    expect(idsFor([route('a', {}, ['Purchase'] as never)])).toEqual([]);
  });
});

describe('the first choice is', () => {
  const FALLBACK = route('b', { priority: 1 });
  test('the longest BIN, whatever its priority', () => {
    const routes = [FALLBACK, route('c', { bins: ['49'], priority: 2 }), route('d', { bins: ['492500'], priority: 9 })];
    expect(idsFor(routes)).toEqual(['d', 'c', 'b']);
  });

  test('then the smallest priority, then the id', () => {
    expect(idsFor([route('c', { priority: 2 }), route('a', { priority: 2 }), FALLBACK])).toEqual(['b', 'a', 'c']);
  });

  test('of an acquirer with a line, else it waits for one', () => {
    const routes = [route('a'), route('b', { acquirer: 'south' }), route('c', { acquirer: 'west' })];
    const ready = (...ids: string[]) =>
      readyFirst(routes, ({ agreement }) => ids.includes(agreement.acquirer)).map(({ agreement }) => agreement.id);
    expect(ready('south', 'west')).toEqual(['b', 'c', 'a']);
    expect(ready()).toEqual(['a', 'b', 'c']);
  });
});
