import { timeZone } from '../../../iso8583/dialects/dialect-file.rules.ts';
import { isLoopback } from '../../../kit/addresses/network.ts';
import { assert } from '../../../kit/assert.ts';
import { OPERATOR, parsePayeeId } from '../../../kit/ids.ts';
import { parseCurrency } from '../../../kit/money.ts';
import {
  BadJson,
  listOf,
  maybe,
  objectOf,
  oneOf,
  type ReadJson,
  recordOf,
  refuseTwice,
  textLike,
  trueOrFalse,
  wholeNumber,
} from '../../../kit/read-json.ts';
import { CARD_BRANDS } from '../../../vault/brands.rules.ts';
import {
  type Acquirer,
  type AcquirersFile,
  type Agreement,
  EXEMPTIONS,
  type Site,
  TERMINAL_CHANNELS,
  type TerminalChannel,
} from '../acquirers.types.ts';
import { anything, digits, type FileAt, fileOf, text, tlsOrNone } from './acquirers-file-parts.rules.ts';
import { refuseSharedTerminals } from './shared-terminals.rules.ts';
import { threeDSMerchants, threeDSServer } from './three-ds-file.rules.ts';

/** Acquirers of one installation: each has connections of every instance. */
const ACQUIRERS = 50;
/** Agreements: of a provider with many payees, in several currencies. They are all in memory. */
const AGREEMENTS = 20_000;
const TERMINALS = 100;
/** Items of any list in an agreement: more currencies than ISO 4217 has, and of BINs what a bank issues. */
const ITEMS = 400;
/** Connections of each instance to one acquirer; with 256 questions under way on each no machine is faster. */
const CONNECTIONS = 16;
/** Hours that a capture may be forwarded for: holds last a week mostly. */
const FORWARD_HOURS = 168;
/** Sites of one acquirer. */
const SITES = 4;
/** Ids of issuers that are ours. */
const OURS = ['ledger', 'sandbox'];

const id = textLike(/^[a-z0-9][a-z0-9-]*$/, 40, 'a name of up to 40 small letters, digits and dashes');

const operation = oneOf(['Authorize', 'Purchase', 'Verify', 'Credit', 'Capture', 'Cancel', 'Reversal']);

const settlementFile = (value: unknown, path: string): Acquirer['settlementFile'] => {
  if (typeof value === 'object' && value !== null && 'format' in value) {
    return objectOf({ format: oneOf(['standard'] as const) })(value, path);
  }
  return objectOf({
    delimiter: textLike(/^[,;|\t]$/, 1, 'a comma, semicolon, bar or tab'),
    decimals: oneOf(['minor', '.', ','] as const),
    dateFormat: oneOf(['YYYY-MM-DD', 'YYYYMMDD', 'DD.MM.YYYY', 'MM/DD/YYYY'] as const),
    columns: recordOf(text(80, 'the name of a column'), 40),
    types: recordOf(text(80, 'the name of a type'), 40),
  })(value, path);
};

/** Minor units by currency. */
const limits: ReadJson<Readonly<Record<string, number>>> = (value, path) => {
  const read = recordOf(wholeNumber(0, Number.MAX_SAFE_INTEGER), ITEMS)(value, path);
  for (const name of Object.keys(read)) {
    if (parseCurrency(name) !== name) throw new BadJson(`${path}.${name}`, 'is not a currency of ISO 4217, as in NOK');
  }
  return read;
};

const exemptionLimits = objectOf({
  LowValue: maybe(limits),
  RiskAnalysis: maybe(limits),
  TrustedPayee: maybe(limits),
  SecureCorporate: maybe(limits),
});

const siteName = textLike(/^[A-Za-z0-9.:-]+$/, 253, 'a name or address');
/** As the file names a site: without a port it has that of the acquirer. */
type Named = Omit<Site, 'port'> & Partial<Site>;
const site: ReadJson<Named> = (value, path) =>
  typeof value === 'string'
    ? { host: siteName(value, path) }
    : objectOf({ host: siteName, port: maybe(wholeNumber(1, 65_535)) })(value, path);
/** One place, or a list of them: the sites of one acquirer. */
const hosts: ReadJson<readonly [Named, ...Named[]]> = (value, path) => {
  const [first, ...others] = Array.isArray(value) ? listOf(site, SITES)(value, path) : [site(value, path)];
  if (first === undefined) throw new BadJson(path, 'is empty');
  return [first, ...others];
};

const ofThree = oneOf(['905', '906', '907', '908', '910', '912']);
const ofOtherLength = textLike(/^([0-9A-Za-z]{2}|[0-9A-Za-z]{4})$/, 4, 'a code of the dialect');
/** A code that says that no issuer was asked. Those of 1993 are known; those of other lengths are the dialect's. */
const failoverCode: ReadJson<string> = (value, path) =>
  (typeof value === 'string' && value.length !== 3 ? ofOtherLength : ofThree)(value, path);

function acquirerOf(fileAt: FileAt): ReadJson<Acquirer> {
  const tls = objectOf({
    ca: fileOf(fileAt),
    cert: fileOf(fileAt),
    key: fileOf(fileAt),
    serverName: textLike(/^[A-Za-z0-9.:-]+$/, 253, 'a name or address'),
  });
  const read = objectOf({
    id: ((value, path) => {
      const read = id(value, path);
      if (OURS.includes(read)) throw new BadJson(path, 'is an id of our own');
      return read;
    }) as ReadJson<string>,
    name: text(60, 'a text of up to 60 characters'),
    dialect: text(500, 'iso93, or the path of a file'),
    host: hosts,
    port: wholeNumber(1, 65_535),
    connections: maybe(wholeNumber(1, CONNECTIONS)),
    acquiringInstitution: digits(11),
    forwardingInstitution: digits(11),
    tls: anything,
    macKey: maybe(fileOf(fileAt)),
    sendMs: maybe(wholeNumber(100, 10_000)),
    answerMs: maybe(wholeNumber(1_000, 60_000)),
    echoSeconds: maybe(wholeNumber(5, 600)),
    holdSeconds: maybe(wholeNumber(3_600, 31_622_400)),
    operations: maybe(listOf(operation, 7)),
    captures: maybe(oneOf(['many', 'one'] as const)),
    needCard: maybe(listOf(oneOf(['Capture', 'Cancel', 'Reversal', 'TakeBack'] as const), 4)),
    forwardHours: maybe(wholeNumber(0, FORWARD_HOURS)),
    withoutShift: maybe(oneOf(['decline', 'attempt'] as const)),
    exemptions: maybe(listOf(oneOf(EXEMPTIONS), EXEMPTIONS.length)),
    exemptionLimits: maybe(exemptionLimits),
    withoutSchemeReference: maybe(oneOf(['refuse', 'send'] as const)),
    failoverCodes: maybe(listOf(failoverCode, 6)),
    cutOver: textLike(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 5, 'a time as in 23:00'),
    timeZone,
    reconciliation: maybe(trueOrFalse),
    settlementFile: maybe(settlementFile),
    testHost: maybe(trueOrFalse),
  });
  return (value, path) => {
    const { host: named, ...given } = read(value, path);
    const [first, ...otherSites] = named.map((one): Site => ({ port: given.port, ...one }));
    assert(first !== undefined, 'there is a first site');
    const remote = [first, ...otherSites].find(({ host }) => !isLoopback(host)) ?? first;
    return {
      ...ACQUIRER_DEFAULTS,
      ...given,
      ...first,
      otherSites,
      dialect: given.dialect === 'iso93' ? given.dialect : fileAt(given.dialect),
      tls: tlsOrNone(tls, remote.host)(given.tls, `${path}.tls`),
    };
  };
}

/** What an acquirer is where the file says nothing else. */
export const ACQUIRER_DEFAULTS = {
  connections: 2,
  otherSites: [],
  sendMs: 1_000,
  answerMs: 15_000,
  echoSeconds: 30,
  holdSeconds: 604_800,
  operations: ['Authorize', 'Purchase', 'Verify', 'Capture', 'Cancel', 'Reversal'],
  captures: 'many',
  needCard: [],
  withoutShift: 'decline',
  exemptions: [],
  exemptionLimits: {},
  withoutSchemeReference: 'refuse',
  failoverCodes: [],
  forwardHours: 24,
  reconciliation: true,
  settlementFile: { format: 'standard' },
  testHost: false,
} as const satisfies Partial<Acquirer>;

const payeeId: ReadJson<Agreement['payeeId']> = (value, path) => {
  const read = typeof value === 'string' ? parsePayeeId(value) : undefined;
  if (read === undefined || read === OPERATOR) throw new BadJson(path, 'is not the id of a payee');
  return read;
};

const agreement: ReadJson<Agreement> = (value, path) => {
  const given = objectOf({
    id,
    payeeId,
    acquirer: id,
    priority: maybe(wholeNumber(1, 1_000)),
    merchantId: textLike(/^[\x21-\x7e]+$/, 15, 'a number of up to 15 characters'),
    terminalIds: terminals,
    mcc: textLike(/^[0-9]{4}$/, 4, 'a text of four digits'),
    merchant: objectOf({
      name: text(40, 'a text of up to 40 characters'),
      street: text(60, 'a text of up to 60 characters'),
      city: text(40, 'a text of up to 40 characters'),
      postalCode: text(10, 'a text of up to 10 characters'),
      country: textLike(/^[A-Z]{3}$/, 3, 'a code of three capitals (ISO 3166-1)'),
      url: maybe(textLike(/^https?:\/\/[\x21-\x7e]+$/, 200, 'an address')),
    }),
    currencies: notEmpty(listOf(currency, ITEMS)),
    brands: notEmpty(listOf(oneOf(CARD_BRANDS), CARD_BRANDS.length)),
    bins: maybe(listOf(textLike(/^[0-9]{1,11}$/, 11, 'a text of 1 to 11 digits'), ITEMS)),
    closed: maybe(trueOrFalse),
    threeDS: maybe(threeDSMerchants),
    allowNo3DSecure: maybe(trueOrFalse),
  })(value, path);
  const { terminalIds, ...others } = given;
  return { priority: 1, bins: [], closed: false, threeDS: {}, allowNo3DSecure: false, ...others, ...terminalIds };
};

const terminalId = textLike(/^[\x21-\x7e]+$/, 8, 'a name of up to 8 characters');
const terminalFor = objectOf({
  id: terminalId,
  channels: notEmpty(listOf(oneOf(TERMINAL_CHANNELS), TERMINAL_CHANNELS.length)),
});

const terminal: ReadJson<{ readonly id: string; readonly channels: readonly TerminalChannel[] }> = (value, path) =>
  typeof value === 'string' ? { id: terminalId(value, path), channels: [] } : terminalFor(value, path);

/** Terminals, each for any channel or for those that it names. */
function terminals(value: unknown, path: string): Pick<Agreement, 'terminalIds' | 'terminalChannels'> {
  const read = notEmpty(listOf(terminal, TERMINALS))(value, path);
  refuseTwice(read.map(({ id }, index) => [`${path}[${index}]`, id]));
  const some = read.filter(({ channels }) => channels.length > 0);
  if (some.length === read.length) throw new BadJson(path, 'has none that is for any channel: write one as a text');
  const terminalChannels = Object.fromEntries(some.map(({ id, channels }) => [id, channels]));
  return { terminalIds: read.map(({ id }) => id), ...(some.length > 0 && { terminalChannels }) };
}

const currency: ReadJson<string> = (value, path) => {
  const read = typeof value === 'string' ? parseCurrency(value) : undefined;
  if (read === undefined) throw new BadJson(path, 'is no currency of ISO 4217, as NOK');
  return read;
};

function notEmpty<Item>(read: ReadJson<readonly Item[]>): ReadJson<readonly Item[]> {
  return (value, path) => {
    const items = read(value, path);
    if (items.length === 0) throw new BadJson(path, 'is empty');
    return items;
  };
}

/**
 * All that a document of `acquirers.json` says. Nothing else is in it: members that are unknown or missing are refused, but for
 * those that have a default.
 *
 * @throws BadJson with the place of the first thing that is wrong
 */
export function readAcquirersFile(document: unknown, fileAt: FileAt): AcquirersFile {
  const { acquirers, agreements, threeDS } = objectOf({
    acquirers: listOf(acquirerOf(fileAt), ACQUIRERS),
    agreements: listOf(agreement, AGREEMENTS),
    threeDS: maybe(threeDSServer(fileAt)),
  })(document, '');
  for (const [name, items] of Object.entries({ acquirers, agreements })) {
    refuseTwice(items.map(({ id }, index) => [`${name}[${index}].id`, id] as const));
  }
  const known = new Set(acquirers.map(({ id }) => id));
  for (const [index, { acquirer }] of agreements.entries()) {
    if (!known.has(acquirer)) throw new BadJson(`agreements[${index}].acquirer`, 'is none of the acquirers');
  }
  refuseSharedTerminals({ acquirers, agreements });
  return { acquirers, agreements, threeDS };
}
