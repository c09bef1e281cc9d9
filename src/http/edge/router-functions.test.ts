import fc from 'fast-check';
import findMyWay from 'find-my-way';
import { describe, expect, test } from 'vitest';
import { handlerOfConstraints, paramsMaker, prefixMatch } from './router-functions.ts';

/** Not the global one: a service of another test file may have put the stand-in there. */
const RealFunction = (() => undefined).constructor as FunctionConstructor;
const GLOBAL_FUNCTION = globalThis.Function;
const STAND_INS = [prefixMatch, paramsMaker, handlerOfConstraints];

/** What the router asks `Function` for while it takes some routes. */
function askedFor(paths: readonly string[]): string[][] {
  const asked: string[][] = [];
  globalThis.Function = new Proxy(RealFunction, {
    construct(real, texts: string[]) {
      asked.push(texts);
      return Reflect.construct(real, texts) as object;
    },
  });
  try {
    const router = findMyWay({ caseSensitive: false });
    for (const path of paths) router.on('GET', path, () => undefined);
  } finally {
    globalThis.Function = GLOBAL_FUNCTION;
  }
  return asked;
}

const PATHS = [
  '/',
  '/psp/a',
  '/psp/b/:id',
  '/p/:a/:b/x/:c/:d/:e/:f',
  '/portal/*',
  '/scripts/:file.js',
  '/p',
  '/%C3%A6/:x',
];

describe('functions of the router', () => {
  test('are all known: each text that the router writes has its stand-in', () => {
    const asked = askedFor(PATHS);
    expect(asked.length).toBeGreaterThan(2 * PATHS.length);
    for (const texts of asked) {
      expect(STAND_INS.filter((standIn) => standIn(texts) !== undefined).length, texts.join('\n')).toBe(1);
    }
  });

  test('find what those of the texts find', () => {
    const prefixes = askedFor(PATHS).filter(([argument]) => argument === 'path');
    expect(prefixes.length).toBeGreaterThan(1);
    const path = fc.oneof(
      fc.constantFrom(...PATHS),
      fc.string({ unit: fc.constantFrom(...'/pspa bortl'), maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), path, fc.nat({ max: 12 }), (texts, text, at) => {
        const [real, ours] = [new RealFunction(...texts), prefixMatch(texts) as typeof RealFunction.prototype];
        expect(ours(text, at)).toBe(real(text, at));
      }),
    );
  });

  test('make the objects that those of the texts make', () => {
    for (const texts of askedFor(PATHS).filter(([argument]) => argument === 'NullObject')) {
      const [real, ours] = [new RealFunction(...texts), paramsMaker(texts) as typeof RealFunction.prototype];
      const values = ['one', 'two', 'three', 'four', ['five', 'six']];
      expect(ours(Object)(...values)).toEqual(real(Object)(...values));
    }
    const [texts = []] = askedFor(['/a']).filter(([argument]) => argument === 'derivedConstraints');
    const [real, ours] = [new RealFunction(...texts), handlerOfConstraints(texts) as typeof RealFunction.prototype];
    for (const derived of [{}, { version: '1' }]) {
      expect(ours.call({ handlers: ['it'] }, derived)).toBe(real.call({ handlers: ['it'] }, derived));
    }
  });

  test('are no others: a text that differs has none', () => {
    for (const texts of askedFor(PATHS)) {
      const body = texts.at(-1) ?? '';
      for (const other of [`${body} `, `${body}\nglobalThis.pwned = 1`, body.replace('return', 'pwn();return'), '']) {
        for (const standIn of STAND_INS) expect(standIn([...texts.slice(0, -1), other])).toBeUndefined();
      }
    }
    expect(prefixMatch(['path', 'i', "'use strict'\nreturn "])).toBeUndefined();
    for (const standIn of STAND_INS) expect(standIn(['return 1'])).toBeUndefined();
  });
});
