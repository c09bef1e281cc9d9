import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { parseExpand } from '../edge/reception.ts';

const EXPANDABLE = ['urls', 'payeeInfo', 'authorizations'];

describe('parseExpand', () => {
  test.each([
    [undefined, []],
    ['', []],
    [',, ,', []],
    [','.repeat(100), []],
    ['urls', ['urls']],
    ['URLS,PayeeInfo', ['urls', 'payeeinfo']],
    [' urls , authorizations ', ['urls', 'authorizations']],
    ['urls,urls', ['urls']],
    ['payeeInfo/any/thing,urls/', ['payeeinfo', 'urls']],
    ['/urls', []],
    ['prices,urls,__proto__', ['urls']],
    [
      ['urls', 'prices,payeeInfo'],
      ['urls', 'payeeinfo'],
    ],
    [[], []],
    [Array.from({ length: 10 }, () => 'x').join(), []],
    ['x'.repeat(40), []],
  ])('%j: %j', (sent, names) => {
    expect([...parseExpand(sent, EXPANDABLE)].sort()).toEqual([...names].sort());
  });

  test.each([
    ['more than ten names', Array.from({ length: 11 }, () => 'x').join()],
    ['more than ten names in several values', Array.from({ length: 11 }, () => 'urls')],
    ['a long name', 'x'.repeat(41)],
    ['a long name among others', ['urls', `urls,${'x'.repeat(41)}`]],
  ])('refuses %s', (_what, sent) => {
    const problems = [expect.objectContaining({ name: '$expand' })];
    expect(() => parseExpand(sent, EXPANDABLE)).toThrow(expect.objectContaining({ code: 'inputerror', problems }));
  });

  test('never gives more than the route knows', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (sent) => {
        try {
          const known = new Set(['urls', 'payeeinfo', 'authorizations']);
          for (const name of parseExpand(sent, EXPANDABLE)) expect(known.has(name)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });
});
