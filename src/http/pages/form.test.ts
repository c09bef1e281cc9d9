import { describe, expect, it } from 'vitest';
import { FORM_PARAMETERS, FORM_VALUE_CHARACTERS } from '../../kit/limits.ts';
import { readFields } from './form.ts';

const read = (body: string) =>
  readFields({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from(body) });

describe('the fields of a form', () => {
  it('are read', () => {
    expect(read('name=Kari+Nordmann&cvc=123').get('name')).toBe('Kari Nordmann');
    expect(read(`name=${'x'.repeat(FORM_VALUE_CHARACTERS)}`).get('name')).toHaveLength(FORM_VALUE_CHARACTERS);
  });

  it.each([
    ['one is there twice', 'name=a&name=b'],
    ['one holds NUL', 'name=a%00b'],
    ['a name holds NUL', 'na%00me=a'],
    ['one is too long', `name=${'x'.repeat(FORM_VALUE_CHARACTERS + 1)}`],
    ['there are too many', Array.from({ length: FORM_PARAMETERS + 1 }, (_, index) => `n${index}=1`).join('&')],
  ])('are refused where %s', (_what, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'inputerror' }));
  });
});
