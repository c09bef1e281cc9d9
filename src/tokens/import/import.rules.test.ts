import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenGuid } from '../tokens.types.ts';
import { contentText, decideLines, identityText, readImportLine } from './import.rules.ts';
import type { DigestedLine, ImportLine } from './import.types.ts';
import type { ImportLineInput } from './import.wire.ts';

const CARD: ImportLineInput = {
  payerReference: 'anna',
  tokenType: 'Payment',
  instrument: 'CreditCard',
  pan: '4925000000000004',
  expiryDate: '01/2030',
};

function read(members: Partial<ImportLineInput>): ImportLine {
  const line = readImportLine({ ...CARD, ...members });
  if ('member' in line) throw new Error(`refused: ${line.member}`);
  return line;
}

const identityOf = (members: Partial<ImportLineInput>) => identityText(read(members)).reveal();
const contentOf = (members: Partial<ImportLineInput>) => contentText(read(members)).reveal();
const archived = { state: 'Archived', archivedBy: 'PAYEE', archiveReason: 'why' } as const;

describe('who a line is', () => {
  it('is payer, type and instrument: nothing else changes it', () => {
    const same: Partial<ImportLineInput>[] = [
      { expiryDate: '02/2031' },
      { instrumentDisplayName: 'x' },
      { token: randomUUID() },
      { lastFourDPan: '0042' },
      archived,
    ];
    for (const members of same) expect(identityOf(members)).toBe(identityOf({}));
    const other: Partial<ImportLineInput>[] = [
      { payerReference: 'bo' },
      { tokenType: 'Recurrence' },
      { pan: '4581097032723517' },
      { instrument: 'BankAccount', accountId: '4925000000000004' },
    ];
    for (const members of other) expect(identityOf(members)).not.toBe(identityOf({}));
  });

  it('cannot be forged by moving text from one member to the next', () => {
    const invoice = { instrument: 'Invoice-X' };
    const one = identityOf({ ...invoice, email: 'a@b.example', zipCode: '1' });
    expect(identityOf({ ...invoice, email: 'a@b.example","1' })).not.toBe(one);
    expect(identityOf({ ...invoice, zipCode: '1' })).not.toBe(identityOf({ ...invoice, msisdn: '1' }));
  });
});

describe('the whole of a line', () => {
  it('differs with each member that is stored, and not with those that are not', () => {
    const other: Partial<ImportLineInput>[] = [
      { expiryDate: '02/2031' },
      { instrumentDisplayName: 'x' },
      { lastFourDPan: '0042' },
      { expiryDPan: '02/2031' },
      archived,
      { ...archived, archivedBy: 'TOKEN_ISSUER' },
      { ...archived, archiveReason: 'other' },
    ];
    const texts = [{}, ...other].map(contentOf);
    expect(new Set(texts).size).toBe(texts.length);
    expect(contentOf({ zipCode: '0150', accountId: 'x', state: 'Active' })).toBe(contentOf({}));
  });
});

describe('members that do not belong together', () => {
  it.each<[string, Partial<ImportLineInput>]>([
    ['pan', { pan: '4925000000000005' }],
    ['archivedBy', { state: 'Archived', archiveReason: 'why' }],
    ['archiveReason', { state: 'Archived', archivedBy: 'PAYEE' }],
    ['archivedBy', { archivedBy: 'PAYEE' }],
    ['archiveReason', { state: 'Active', archiveReason: 'why' }],
    ['accountId', { instrument: 'BankAccount' }],
  ])('are refused under the name of one: %s', (member, members) => {
    expect(readImportLine({ ...CARD, ...members })).toEqual({ member, reason: expect.any(String) });
  });
});

describe('which lines become tokens', () => {
  const digested = (guid: string | undefined, identity: string, content: string): DigestedLine => ({
    token: guid as TokenGuid | undefined,
    identity: [identity],
    content: [content],
    tombstone: [`tombstone of ${identity}`],
    former: undefined,
  });
  const nothing = { contentByToken: new Map(), identities: new Set<string>(), formers: [] };
  const kinds = (lines: readonly DigestedLine[], known = nothing) =>
    decideLines(lines, known).map((outcome) => (typeof outcome === 'string' ? outcome : outcome.member));

  it('judges each line after those before it', () => {
    const lines = [
      digested('a', 'who', 'what'),
      digested('a', 'who', 'what'),
      digested('a', 'who', 'other'),
      digested(undefined, 'who', 'what'),
      digested('b', 'who', 'what'),
      digested(undefined, 'new', 'what'),
      digested(undefined, 'new', 'other'),
    ];
    const expected = ['imported', 'unchanged', 'token', 'unchanged', 'imported', 'imported', 'unchanged'];
    expect(kinds(lines)).toEqual(expected);
  });

  it('compares a GUID of which no line is kept with what identifies its token', () => {
    const known = { contentByToken: new Map([['a' as TokenGuid, 'who']]), identities: new Set<string>(), formers: [] };
    expect(kinds([digested('a', 'who', 'what'), digested('a', 'else', 'what')], known)).toEqual(['unchanged', 'token']);
  });

  it('brings no deleted token back, with its GUID or without', () => {
    const known = {
      contentByToken: new Map([['a' as TokenGuid, 'tombstone of who']]),
      identities: new Set(['tombstone of who']),
      formers: [],
    };
    const lines = [digested('a', 'who', 'new'), digested(undefined, 'who', 'what'), digested('a', 'else', 'what')];
    expect(kinds(lines, known)).toEqual(['unchanged', 'unchanged', 'token']);
  });

  it('knows a line under the digest of an older key', () => {
    const known = {
      contentByToken: new Map([['a' as TokenGuid, 'old what']]),
      identities: new Set(['old who']),
      formers: [],
    };
    const line = {
      identity: ['new who', 'old who'],
      content: ['new what', 'old what'],
      tombstone: [],
      former: undefined,
    };
    expect(
      kinds(
        [
          { token: 'a' as TokenGuid, ...line },
          { token: undefined, ...line },
        ],
        known,
      ),
    ).toEqual(['unchanged', 'unchanged']);
  });

  it('knows a card that an update has replaced, by what is left of it', () => {
    const former = {
      payerReference: 'anna',
      tokenType: 'Payment',
      instrument: 'CreditCard',
      card: '0004 01/2030',
    } as const;
    const known = { contentByToken: new Map(), identities: new Set<string>(), formers: [former] };
    const line = digested(undefined, 'who', 'what');
    const lines = [
      { ...line, former },
      { ...line, former: { ...former, card: '0004 02/2030' } },
      { ...digested('a', 'who', 'what'), former },
    ];
    expect(lines.map((one) => decideLines([one], known)[0])).toEqual(['unchanged', 'imported', 'imported']);
  });

  it('decides the same however the lines are parted into batches, and nothing the second time', () => {
    const line = fc.record({ guid: fc.option(fc.nat(4), { nil: undefined }), who: fc.nat(4), what: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(line), fc.nat(20), (drafts, cut) => {
        const lines = drafts.map(({ guid, who, what }) => digested(guid?.toString(), `${who}`, `${who}/${what}`));
        const whole = kinds(lines);
        const first = decideLines(lines.slice(0, cut), nothing);
        const known = knownAfter(lines.slice(0, cut), first);
        expect([...whole.slice(0, cut), ...kinds(lines.slice(cut), known)]).toEqual(whole);
        const again = kinds(lines, knownAfter(lines, decideLines(lines, nothing)));
        expect(again).toEqual(whole.map((outcome) => (outcome === 'imported' ? 'unchanged' : outcome)));
      }),
    );
  });

  /** What the database knows once these lines were decided so. */
  function knownAfter(lines: readonly DigestedLine[], outcomes: ReturnType<typeof decideLines>) {
    const imported = lines.filter((_, index) => outcomes[index] === 'imported');
    return {
      contentByToken: new Map(
        imported.flatMap(({ token, content }) => (token === undefined ? [] : [[token, content[0]] as const])),
      ),
      identities: new Set(imported.flatMap(({ identity }) => identity)),
      formers: [],
    };
  }
});
