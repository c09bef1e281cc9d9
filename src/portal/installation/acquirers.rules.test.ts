import { describe, expect, test } from 'vitest';
import { SANDBOX_ACQUIRER, sandboxAgreement } from '../../../sandbox/cards/issuer.rules.ts';
import type { ConnectionStatus } from '../../iso8583/link/link.types.ts';
import { parsePayeeId } from '../../kit/ids.ts';
import { adviceFor, describeAcquirer } from './acquirers.rules.ts';
import { listAgreements } from './list-agreements.ts';

const SINCE = new Date('2026-03-09T10:15:00.000Z');
const status = (others: Partial<ConnectionStatus>): ConnectionStatus => ({
  site: 'h2h.example.com:9100',
  state: 'Ready',
  since: SINCE,
  echoedAt: undefined,
  reason: undefined,
  detail: '',
  ...others,
});
const lines = (...statuses: readonly ConnectionStatus[]) => [
  { acquirerId: 'north', connections: 2, ready: statuses.filter(({ state }) => state === 'Ready').length, statuses },
];
const NORTH = { ...SANDBOX_ACQUIRER, id: 'north', host: 'h2h.example.com', port: 9100 };

describe('an acquirer', () => {
  test('is shown with each line, and why one is not there', () => {
    const lost = status({
      site: 'h2h-b.example.com:9101',
      state: 'Connecting',
      reason: 'CertificateExpired',
      detail: 'CERT_HAS_EXPIRED',
    });
    expect(describeAcquirer(NORTH, lines(status({ echoedAt: SINCE, reason: 'NoEcho' }), lost))).toMatchObject({
      acquirerId: 'north',
      address: 'h2h.example.com:9100',
      isEncrypted: false,
      isTestHost: true,
      lines: [
        // Why it was lost before says nothing of a line that is there.
        {
          site: 'h2h.example.com:9100',
          state: 'Ready',
          since: SINCE.toISOString(),
          echoedAt: SINCE.toISOString(),
          reason: null,
        },
        {
          site: 'h2h-b.example.com:9101',
          state: 'Connecting',
          echoedAt: null,
          reason: 'CertificateExpired',
          detail: 'CERT_HAS_EXPIRED',
        },
      ],
    });
  });

  test('whose lines are not open has none', () => {
    expect(describeAcquirer(NORTH, []).lines).toEqual([]);
  });
});

describe('what to do about what is not acknowledged', () => {
  test.each([
    ['nothing for the first minutes', 6, lines(), 'Wait'],
    ['the line first', 7, lines(status({ state: 'Down', reason: 'NothingListens' })), 'MendLine'],
    ['the line first, where there are none', 7, [], 'MendLine'],
    ['ask, where one line is there', 7, lines(status({ state: 'Down' }), status({})), 'AskAcquirer'],
  ] as const)('%s', (_name, tries, states, advice) => {
    expect(adviceFor({ tries, acquirerId: 'north' }, states)).toBe(advice);
  });
});

describe('the agreements', () => {
  const [first, second] = ['0195b2a0-0000-7000-8000-000000000001', '0195b2a0-0000-7000-8000-000000000002'];
  const all = ['c', 'a', 'b', 'd'].map((id) => ({
    ...sandboxAgreement(parsePayeeId(id === 'b' ? second : first) as never),
    id,
    closed: id === 'd',
  }));
  const read = (async () => ({ rows: [{ payeeId: first, name: 'Demo AS' }], count: 1 })) as never;

  test('are listed page by page, each once, with the name of the payee where there is one', async () => {
    const one = await listAgreements(read, all, { limit: '3' });
    expect(one.agreements.map(({ agreementId, payeeName }) => [agreementId, payeeName])).toEqual([
      ['a', 'Demo AS'],
      ['b', null],
      ['c', 'Demo AS'],
    ]);
    const rest = await listAgreements(read, all, { limit: '3', cursor: one.next ?? '' });
    expect(rest.agreements.map(({ agreementId, state }) => [agreementId, state])).toEqual([['d', 'Closed']]);
    expect(rest.next).toBeNull();
  });

  test('of one payee', async () => {
    const { agreements } = await listAgreements(read, all, { payeeId: second });
    expect(agreements.map(({ agreementId }) => agreementId)).toEqual(['b']);
  });

  test.each([{ payeeId: 'nonsense' }, { limit: '0' }])('cannot be asked for with %j', async (asked) => {
    await expect(listAgreements(read, all, asked)).rejects.toMatchObject({ code: 'inputerror' });
  });
});
