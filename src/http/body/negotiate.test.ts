import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { chooseVersion, type Negotiation, prefersHtml } from './negotiate.ts';

/** The version, or the code of the refusal. */
function outcome(request: Partial<Negotiation>): string {
  try {
    return chooseVersion({ contentType: undefined, accept: undefined, hasBody: false, ...request });
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const UNSUPPORTED = 'unsupportedmediatype';
const NOT_ACCEPTABLE = 'notacceptable';

describe('the Content-Type of a body', () => {
  test.each([
    [undefined, UNSUPPORTED],
    ['', UNSUPPORTED],
    ['text/plain', UNSUPPORTED],
    ['application/x-www-form-urlencoded', UNSUPPORTED],
    ['application/problem+json', UNSUPPORTED],
    ['application/*', UNSUPPORTED],
    ['*/*', UNSUPPORTED],
    ['application/jsonx', UNSUPPORTED],
    ['text/plain, application/json', UNSUPPORTED],
    ['application/json', '3.0'],
    ['APPLICATION/Json', '3.0'],
    ['application/json;charset=UTF-8', '3.0'],
    ['application/json; charset=iso-8859-1', '3.0'],
    ['application/json;version=3.1', '3.1'],
    ['application/json;version=3.0', '3.0'],
    ['application/json;version=2.0', '2.0'],
    ['application/json; version=2.0; charset=utf-8', '2.0'],
    ['application/json ;charset="utf-8" ;version="2.0"', '2.0'],
    ['application/json;version=3.x', '3.1'],
    ['application/json;version=3.X', '3.1'],
    ['application/json;version=2.x', '2.0'],
    ['application/json;version=3.1/2.0', '3.1'],
    ['application/json;version=2.0/3.1', '3.1'],
    ['application/json;version=3.x/2.0', '3.1'],
    ['application/json;version=3.1/3.0/2.0', '3.1'],
    ['application/json;version=4.0/2.0', '2.0'],
    ['application/json;version="2.0 / 3.0"', '3.0'],
    ['application/json;version=4.0', UNSUPPORTED],
    ['application/json;version=4.x', UNSUPPORTED],
    ['application/json;version=3', UNSUPPORTED],
    ['application/json;version=x', UNSUPPORTED],
    ['application/json;version=3.1,2.0', UNSUPPORTED],
    ['application/json;version=', UNSUPPORTED],
    ['application/json;version=3.1;version=3.1', UNSUPPORTED],
  ])('%s: %s', (contentType, expected) => {
    // Twice, because the second answer comes from memory.
    expect(outcome({ contentType, hasBody: true })).toBe(expected);
    expect(outcome({ contentType, hasBody: true })).toBe(expected);
  });
});

describe('the Content-Type without a body', () => {
  test.each([
    ['application/json;version=2.0', '2.0'],
    ['application/json;version=9.9', UNSUPPORTED],
    ['application/json', '3.0'],
    ['text/plain;version=9.9', '3.0'],
    ['nonsense', '3.0'],
  ])('%s: %s', (contentType, expected) => {
    expect(outcome({ contentType })).toBe(expected);
  });
});

describe('Accept', () => {
  test.each([
    [undefined, '3.0'],
    ['', '3.0'],
    ['*/*', '3.0'],
    ['application/*', '3.0'],
    ['application/json', '3.0'],
    ['application/problem+json', '3.0'],
    ['application/json, application/problem+json', '3.0'],
    ['application/problem+json,application/json;q=0.1', '3.0'],
    ['text/html, */*;q=0.1', '3.0'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', '3.0'],
    ['application/*;q=0, application/json', '3.0'],
    ['application/json;charset=utf-8', '3.0'],
    ['text/html', NOT_ACCEPTABLE],
    ['text/*', NOT_ACCEPTABLE],
    ['application/xml', NOT_ACCEPTABLE],
    ['nonsense', NOT_ACCEPTABLE],
    ['application/json;q=0', NOT_ACCEPTABLE],
    ['application/json;q=0.000', NOT_ACCEPTABLE],
    ['*/*;q=0', NOT_ACCEPTABLE],
    ['application/json;q=0, */*', NOT_ACCEPTABLE],
    ['application/json;q=0, application/problem+json', NOT_ACCEPTABLE],
    ['application/*;q=0, application/problem+json', NOT_ACCEPTABLE],
    ['application/*;q=0, */*', NOT_ACCEPTABLE],
    ['application/problem+json;q=0', NOT_ACCEPTABLE],
    ['application/json;version=2.0', '2.0'],
    ['application/json;version=3.x/2.0, application/problem+json', '3.1'],
    ['application/problem+json;version=2.0, application/json', '2.0'],
    ['*/*;version=2.0', '2.0'],
    ['application/json;version=2.0;q=0.5, application/json;version=3.1;q=0.4', '2.0'],
    ['application/json;version=2.0;q=0.4, application/json;version=3.1;q=0.5', '3.1'],
    ['application/json;version=2.0, application/json;version=3.1', '2.0'],
    ['application/json;version=9.9, application/json;version=2.0;q=0.5', '2.0'],
    ['application/json;version=2.0;q=0, application/json', '3.0'],
    ['text/html;version=2.0, application/json', '3.0'],
    ['application/json;version=9.9', NOT_ACCEPTABLE],
    ['application/json;version=9.9, application/problem+json', NOT_ACCEPTABLE],
    ['application/json;version=', NOT_ACCEPTABLE],
  ])('%s: %s', (accept, expected) => {
    expect(outcome({ accept })).toBe(expected);
    expect(outcome({ accept })).toBe(expected);
  });
});

test.each([
  ['application/json;version=3.1', 'application/json;version=2.0', '3.1'],
  ['application/json;version=3.1', 'application/json;version=9.9', '3.1'],
  ['application/json', 'application/json;version=2.0', '2.0'],
  ['application/json;version=9.9', 'application/json;version=2.0', UNSUPPORTED],
  ['application/json;version=3.1', 'text/html', NOT_ACCEPTABLE],
  ['text/plain', 'text/html', UNSUPPORTED],
])('Content-Type %s goes before Accept %s: %s', (contentType, accept, expected) => {
  expect(outcome({ contentType, accept, hasBody: true })).toBe(expected);
});

test('a refusal does not repeat the header', () => {
  const request = { contentType: 'application/json;version=4925', accept: undefined, hasBody: true };
  expect(() => chooseVersion(request)).toThrow(
    expect.objectContaining({ detail: expect.not.stringContaining('4925') }),
  );
});

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html, application/json', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html, application/problem+json;q=0.9', true],
  ['text/html;q=0', false],
  ['nonsense', false],
])('Accept %s prefers HTML: %s', (accept, html) => {
  expect(prefersHtml(accept)).toBe(html);
});
