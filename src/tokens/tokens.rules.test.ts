import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archive, checkArchiver, isThere, parseTokenName, readCursor, tokenId, writeCursor } from './tokens.rules.ts';
import { TOKEN_TYPES, type TokenGuid, type TokenRecord } from './tokens.types.ts';

const guid = randomUUID() as TokenGuid;
const token = { token: guid, tokenType: 'Payment', state: 'Active', archivedBy: null } as TokenRecord;

describe('a name in an address', () => {
  it('is read back from the id of every type, whatever its case', () => {
    for (const tokenType of TOKEN_TYPES) {
      const id = tokenId({ token: guid, tokenType });
      for (const text of [id, id.toUpperCase(), id.toLowerCase()]) {
        expect(parseTokenName(text)).toEqual({ token: guid, tokenType });
      }
    }
    expect(parseTokenName(guid)).toEqual({ token: guid, tokenType: undefined });
  });

  it('is nothing where the text is anything else', () => {
    const near = [
      `${guid}-`,
      `${guid}Payment`,
      `${guid}-Payment `,
      ` ${guid}`,
      guid.slice(1),
      `${guid}-Payment-Payment`,
    ];
    for (const text of near) expect(parseTokenName(text)).toBeUndefined();
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => parseTokenName(text) === undefined));
  });

  it('does not find a token of another type, nor a deleted one', () => {
    expect(isThere({ token: guid, tokenType: undefined }, token)).toBe(true);
    expect(isThere({ token: guid, tokenType: 'Recurrence' }, token)).toBe(false);
    expect(isThere({ token: guid, tokenType: 'Payment' }, { ...token, state: 'Deleted' })).toBe(false);
    expect(isThere({ token: guid, tokenType: 'Payment' }, undefined)).toBe(false);
  });
});

describe('archiving', () => {
  it('keeps the first archiver and reason, and never brings a deleted token back', () => {
    const once = archive(token, { updatedBy: 'PAYEE', reason: ' first ' });
    expect(once).toMatchObject({ state: 'Archived', archivedBy: 'PAYEE', archiveReason: 'first' });
    expect(archive(once, { updatedBy: 'TOKEN_ISSUER', reason: 'second' })).toBe(once);
    const deleted: TokenRecord = { ...token, state: 'Deleted' };
    expect(archive(deleted, { updatedBy: 'PAYEE', reason: 'late' })).toBe(deleted);
  });

  it('needs for each archiver a scope that no other one grants', () => {
    const scopes = {
      PAYEE: 'tokens:write',
      SERVICE_OPERATOR: 'tokens:act-as-operator',
      TOKEN_ISSUER: 'tokens:act-as-issuer',
    };
    for (const updatedBy of ['PAYEE', 'SERVICE_OPERATOR', 'TOKEN_ISSUER'] as const) {
      const needed = new Set([scopes[updatedBy]]);
      const others = new Set(Object.values(scopes).filter((scope) => !needed.has(scope)));
      expect(checkArchiver(needed, { updatedBy, reason: 'x' })).toBeUndefined();
      expect(checkArchiver(others, { updatedBy, reason: 'x' })).toMatchObject({ code: 'forbidden' });
    }
  });
});

describe('a cursor', () => {
  const place = fc
    .record({
      time: fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
      micros: fc.nat(999),
      isWhole: fc.boolean(),
      token: fc.uuid(),
    })
    .map(({ time, micros, isWhole, token: text }) => {
      const [day, clock] = time.toISOString().slice(0, -1).split('T');
      const fraction = isWhole ? clock?.slice(0, 8) : `${clock}${String(micros).padStart(3, '0')}`;
      return { createdAt: `${day} ${fraction}+00`, token: text as TokenGuid };
    });

  it('is read back as the place that it was written from', () => {
    fc.assert(
      fc.property(place, (at) => {
        expect(readCursor(writeCursor(at))).toEqual(at);
      }),
    );
  });

  it('that is no time of a calendar, or no cursor at all, is none', () => {
    const end = `T00:00:00+00~${guid}`;
    for (const day of [
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '1999-01-01',
      '2026-01-00',
    ]) {
      expect(readCursor(day + end)).toBeUndefined();
    }
    expect(readCursor(`2028-02-29${end}`)).toBeDefined();
    for (const clock of ['24:00:00', '00:60:00', '00:00:60', '00:00:00.', '00:00:00.1234567']) {
      expect(readCursor(`2026-01-01T${clock}+00~${guid}`)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => readCursor(text) === undefined));
  });
});
