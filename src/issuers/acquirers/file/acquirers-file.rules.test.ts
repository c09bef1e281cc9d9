import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BadJson } from '../../../kit/read-json.ts';
import type { AcquirersFile } from '../acquirers.types.ts';
import { readAcquirersFile } from './acquirers-file.rules.ts';

const EXAMPLE = readFileSync(join(import.meta.dirname, '../../../../examples/acquirers.json'), 'utf8');
const fileAt = (path: string) => resolve('/etc/kontor', path);

// biome-ignore lint/suspicious/noExplicitAny: a test breaks any part of it
type Document = any;

/** The example with a change. */
function changed(change: (document: Document) => void): AcquirersFile {
  const document: Document = JSON.parse(EXAMPLE);
  change(document);
  return readAcquirersFile(document, fileAt);
}

test('the example says what an acquirer and an agreement are, and defaults say the rest', () => {
  const { acquirers, agreements, threeDS } = changed(() => undefined);
  expect(acquirers[0]).toMatchObject({
    id: 'north',
    sendMs: 1_000,
    echoSeconds: 30,
    operations: ['Authorize', 'Purchase', 'Verify', 'Capture', 'Cancel', 'Reversal'],
    withoutShift: 'decline',
    withoutSchemeReference: 'refuse',
    settlementFile: { format: 'standard' },
    testHost: false,
    tls: { ca: '/etc/kontor/north-ca.pem', key: '/etc/kontor/us.key', serverName: 'h2h.example.com' },
  });
  expect(agreements[0]).toMatchObject({ bins: [], closed: false, currencies: ['NOK'], allowNo3DSecure: false });
  expect(threeDS?.directoryServers[0]).toMatchObject({ scheme: 'Visa', answerMs: 12_000 });
});

test('paths are taken from where the file lies, unless they are absolute', () => {
  const { acquirers } = changed(({ acquirers: [north] }) => {
    north.dialect = 'south.json';
    north.tls.key = '/run/secrets/us.key';
  });
  expect(acquirers[0]).toMatchObject({ dialect: '/etc/kontor/south.json', tls: { key: '/run/secrets/us.key' } });
});

test('a line in the clear goes to this machine alone', () => {
  const clear = (host: string) =>
    changed(({ acquirers: [north] }) => {
      north.tls = 'none';
      north.host = host;
    });
  expect(clear('127.0.0.1').acquirers[0]?.tls).toBe('none');
  expect(() => clear('h2h.example.com')).toThrow('acquirers[0].tls is none, which goes to this machine alone');
});

test('a host may be a list of sites, and one without a port has that of the acquirer', () => {
  const of = (host: unknown) =>
    changed(({ acquirers: [north] }) => {
      north.host = host;
    }).acquirers[0];
  const second = { host: 'b.example.com', port: 9200 };
  const { port } = of('a.example.com') ?? {};
  expect(of('a.example.com')).toMatchObject({ host: 'a.example.com', otherSites: [] });
  expect(of(['a.example.com', second, 'c.example.com'])).toMatchObject({
    host: 'a.example.com',
    port,
    otherSites: [second, { host: 'c.example.com', port }],
  });
  expect(() => of([])).toThrow('acquirers[0].host is empty');
  expect(() => of(['a.example.com', { host: 'b', port: 0 }])).toThrow('acquirers[0].host[1].port is no whole number');
});

const WRONG: readonly (readonly [path: string, complaint: RegExp, change: (document: Document) => void])[] = [
  ['pins', /is not known here/, (all) => (all.pins = [])],
  ['acquirers', /is missing/, (all) => delete all.acquirers],
  [
    'acquirers[0].exemptionLimits.LowValue.NOR',
    /is not a currency/,
    ({ acquirers: [north] }) => (north.exemptionLimits = { LowValue: { NOR: 1 } }),
  ],
  [
    'acquirers[0].exemptionLimits.LowValue.NOK',
    /whole number/,
    ({ acquirers: [north] }) => (north.exemptionLimits = { LowValue: { NOK: 1.5 } }),
  ],
  ['acquirers[0].prot', /is not known here/, ({ acquirers: [north] }) => (north.prot = 1)],
  ['acquirers[0].port', /from 1 to 65535/, ({ acquirers: [north] }) => (north.port = '9100')],
  ['acquirers[0].id', /is an id of our own/, ({ acquirers: [north] }) => (north.id = 'sandbox')],
  ['acquirers[0].answerMs', /from 1000 to 60000/, ({ acquirers: [north] }) => (north.answerMs = 999)],
  ['acquirers[0].operations[0]', /is none of/, ({ acquirers: [north] }) => (north.operations = ['Deposit'])],
  ['acquirers[0].forwardHours', /whole number from 0 to 168/, ({ acquirers: [north] }) => (north.forwardHours = 169)],
  [
    'acquirers[0].operations[1]',
    /is none of/,
    ({ acquirers: [north] }) => (north.operations = ['Verify', 'Increment']),
  ],
  ['acquirers[0].failoverCodes[0]', /is none of/, ({ acquirers: [north] }) => (north.failoverCodes = ['909'])],
  ['acquirers[0].cutOver', /as in 23:00/, ({ acquirers: [north] }) => (north.cutOver = '24:00')],
  ['acquirers[0].timeZone', /is no time zone/, ({ acquirers: [north] }) => (north.timeZone = 'Europe/Nowhere')],
  ['acquirers[0].tls.key', /is missing/, ({ acquirers: [north] }) => delete north.tls.key],
  [
    'acquirers[0].settlementFile.decimals',
    /is missing/,
    (all) => (all.acquirers[0].settlementFile = { delimiter: ';' }),
  ],
  ['acquirers[1].id', /is there twice/, (all) => all.acquirers.push(all.acquirers[0])],
  ['agreements[0].payeeId', /is not the id/, ({ agreements: [demo] }) => (demo.payeeId = 'demo')],
  ['agreements[0].acquirer', /is none of the acquirers/, ({ agreements: [demo] }) => (demo.acquirer = 'south')],
  ['agreements[0].currencies[0]', /no currency/, ({ agreements: [demo] }) => (demo.currencies = ['KRO'])],
  ['agreements[0].brands', /is empty/, ({ agreements: [demo] }) => (demo.brands = [])],
  ['agreements[0].brands[0]', /is none of/, ({ agreements: [demo] }) => (demo.brands = ['visa'])],
  ['agreements[0].bins[0]', /1 to 11 digits/, ({ agreements: [demo] }) => (demo.bins = ['4925x'])],
  ['agreements[0].mcc', /four digits/, ({ agreements: [demo] }) => (demo.mcc = '573')],
  ['agreements[0].merchant.country', /three capitals/, (all) => (all.agreements[0].merchant.country = 'NO')],
  [
    'agreements[0].terminalIds',
    /none that is for any channel/,
    (all) => (all.agreements[0].terminalIds = [{ id: 'A', channels: ['Merchant'] }]),
  ],
  ['agreements[0].terminalIds[1]', /twice/, (all) => (all.agreements[0].terminalIds = ['A', 'A'])],
  [
    'agreements[0].terminalIds[1].channels[0]',
    /none of ECommerce/,
    (all) => (all.agreements[0].terminalIds = ['A', { id: 'B', channels: ['Web'] }]),
  ],
  ['agreements[0].terminalIds[0]', /up to 8/, (all) => (all.agreements[0].terminalIds = ['WEB000001'])],
  ['agreements[0].threeDS.Visa.acquirerBin', /digits/, (all) => (all.agreements[0].threeDS.Visa.acquirerBin = 'x')],
  ['agreements[1].id', /is there twice/, (all) => all.agreements.push(all.agreements[0])],
  ['threeDS.resultsUrl', /is not https/, ({ threeDS }) => (threeDS.resultsUrl = 'http://pay.example.com/')],
  ['threeDS.directoryServers[0].tls', /this machine alone/, (all) => (all.threeDS.directoryServers[0].tls = 'none')],
  [
    'threeDS.directoryServers[1].scheme',
    /is there twice/,
    ({ threeDS }) => threeDS.directoryServers.push(threeDS.directoryServers[0]),
  ],
];

test.each(WRONG)('%s %s', (path, complaint, change) => {
  const read = () => changed(change);
  expect(read).toThrow(BadJson);
  expect(read).toThrow(complaint);
  expect(read).toThrow(path);
});

test('a value is not repeated: it may be a secret in the wrong place', () => {
  const read = () => changed(({ agreements: [demo] }) => (demo.merchantId = '4925000000000004 is no merchant'));
  expect(read).toThrow('agreements[0].merchantId is not a number of up to 15 characters');
});
