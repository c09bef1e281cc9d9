import { describe, expect, it, test } from 'vitest';
import type { Agreement, DirectoryServer, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import {
  agreementFindings,
  cardsFinding,
  leftOutFindings,
  lineFindings,
  resultsFindings,
} from './examine-three-ds.rules.ts';

const TLS = { ca: '', cert: '', key: '' };
const VISA: DirectoryServer = { scheme: 'Visa', url: 'https://ds.example.com/', tls: TLS, answerMs: 1 };
const HOUR = 3600;

const shown = (...findings: ReturnType<typeof lineFindings>) => findings.map(({ level, text }) => `${level} ${text}`);

describe('a directory server', () => {
  it('is reached, or it is said why not and what to look at', () => {
    expect(shown(...lineFindings(VISA, { answerMs: 3.14 }))).toEqual([
      'ok Directory server Visa: it answers after 3.1 ms.',
    ]);
    expect(shown(...lineFindings(VISA, { cause: 'ECONNREFUSED', hasOpened: false }))).toEqual([
      'problem Directory server Visa: no answer: nothing listens there. Look at its url and tls, and whether this machine may reach it.',
    ]);
  });

  it('in the clear is one to try against', () => {
    expect(shown(...lineFindings({ ...VISA, tls: 'none' }, { answerMs: 1 }))[1]).toMatch(/^advice .* to try against/);
  });

  it.each([
    ['was never asked', { scheme: 'Mastercard' }, undefined, 'advice', 'not asked for its cards yet'],
    ['has another address than the one that told', { url: 'https://other.example/' }, undefined, 'advice', 'not asked'],
    [
      'has not told',
      { preparedSeconds: null, askedSeconds: 150 },
      0,
      'advice',
      'asked for its cards 2 minutes ago, without',
    ],
    ['has told', { preparedSeconds: 5 * HOUR }, 99, 'ok', 'it has told 99 ranges of cards, 5 hours ago.'],
    ['has told some in another form', { leftOut: 3 }, 99, 'advice', '; 3 more are not of their form and were left out'],
    ['told long ago', { preparedSeconds: 72 * HOUR }, 99, 'advice', '3 days ago, and should each day'],
    ['has told that it has none', { preparedSeconds: 1 }, 0, 'advice', '0 ranges of cards, 1 seconds ago: no card is'],
  ])('that %s', (...[, others, ranges, level, words]) => {
    const known = {
      scheme: 'Visa',
      url: VISA.url,
      askedSeconds: 1,
      preparedSeconds: 1,
      ranges: ranges ?? 1,
      leftOut: 0,
      ...others,
    };
    const finding = cardsFinding(VISA, [known]);
    expect(finding.level).toBe(level);
    expect(finding.text).toContain(words);
  });
});

describe('the address for results', () => {
  const server = { resultsUrl: 'https://pay.example.com:8444/x', resultsPort: 8444 } as ThreeDSServer;
  it.each([
    ['Ours', 'ok', 'is ours'],
    ['Nothing', 'advice', 'Start the service'],
    ['Another', 'problem', 'another certificate'],
    ['NoTls', 'problem', 'does not speak TLS'],
  ] as const)('where the port is %s', (found, level, words) => {
    const [finding] = resultsFindings(server, { found, isNamed: true });
    expect(finding?.level).toBe(level);
    expect(finding?.text).toContain(words);
  });

  it('has a certificate of its name', () => {
    expect(shown(...resultsFindings(server, { found: undefined, isNamed: false }))).toEqual([
      expect.stringMatching(/^problem .* is not for pay\.example\.com/),
    ]);
  });
});

describe('agreements', () => {
  const known = { acquirerBin: '1', merchantId: '1', requestorId: '1', requestorName: '1' };
  const agreement = (id: string, others: Partial<Agreement>) =>
    ({ id, closed: false, brands: ['Visa'], threeDS: {}, ...others }) as Agreement;
  const threeDS = { directoryServers: [VISA] } as unknown as ThreeDSServer;

  it('that lack what the directory server of their brand needs are named, some of them', () => {
    const seven = Array.from({ length: 7 }, (_, index) => agreement(`a${index}`, {}));
    const others = [agreement('closed', { closed: true }), agreement('amex', { brands: ['Amex'] })];
    expect(shown(...agreementFindings({ agreements: [...seven, ...others], threeDS }))).toEqual([
      'advice Without 3-D Secure, because the agreement lacks threeDS.Visa: a0, a1, a2, a3, a4 and 2 more.',
    ]);
  });

  it('that name a brand without a directory server are named', () => {
    const agreements = [agreement('both', { threeDS: { Visa: known, Mastercard: known } })];
    expect(shown(...agreementFindings({ agreements, threeDS }))).toEqual([
      'advice Without 3-D Secure, because threeDS.directoryServers lacks the brand: both (Mastercard).',
    ]);
    expect(agreementFindings({ agreements, threeDS: undefined })).toHaveLength(1);
  });
});

test('what was left out of the messages of a directory server is told, each member with its count', () => {
  const leftOut = [
    { scheme: 'Visa', message: 'ARes', member: 'eci', times: 12 },
    { scheme: 'Visa', message: 'RReq', member: 'authenticationMethod', times: 1 },
    { scheme: 'Mastercard', message: 'ARes', member: 'eci', times: 3 },
  ] as const;
  expect(shown(...leftOutFindings(VISA, leftOut))).toEqual([
    expect.stringMatching(/left out.*: eci of ARes \(12\), authenticationMethod of RReq \(1\)\. Tell the scheme\.$/),
  ]);
  expect(leftOutFindings({ scheme: 'Dankort' }, leftOut)).toEqual([]);
});
