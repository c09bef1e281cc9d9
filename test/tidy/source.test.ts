// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test are strings.
import { describe, expect, test } from 'vitest';
import { readSource, targetPath } from './source.ts';

const read = (text: string) => readSource({ path: 'src/a/b.ts', text });

describe('imports', () => {
  test.each([
    [
      "import { a, type B } from './x.ts';",
      { kind: 'import', typeOnly: false, names: ['a', 'B'], specifier: './x.ts' },
    ],
    ["import {\n  a,\n  b as c,\n} from './x.ts';", { kind: 'import', typeOnly: false, names: ['a', 'b'] }],
    ["import type { A } from './x.ts';", { typeOnly: true, names: ['A'] }],
    ["import { type A, type B } from './x.ts';", { typeOnly: true, names: ['A', 'B'] }],
    ["import type from './x.ts';", { typeOnly: false, names: ['default'] }],
    ["import * as everything from 'x';", { typeOnly: false, names: ['*'], specifier: 'x' }],
    ["import fallback, { a } from 'x';", { names: ['default', 'a'] }],
    ["import 'x';", { kind: 'import', typeOnly: false, names: [], specifier: 'x' }],
    ["export { a } from './x.ts';", { kind: 'export', names: ['a'] }],
    ["export * from './x.ts';", { kind: 'export', names: ['*'] }],
    ["const x = await import('./x.ts');", { kind: 'dynamic', specifier: './x.ts' }],
    ["let x: import('./x.ts').X;", { kind: 'dynamic', specifier: './x.ts' }],
    ['await import(name);', { kind: 'dynamic', specifier: undefined }],
  ])('reads %s', (text, expected) => {
    expect(read(text).imports).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    ["// import { a } from './x.ts';"],
    ["/* import { a }\n from './x.ts'; */"],
    ['const text = "import { a } from \'./x.ts\'";'],
    ["const text = `import { a } from './x.ts';`;"],
    ['import.meta.url;'],
    ["export const from = 'x';"],
  ])('finds no import in %s', (text) => {
    expect(read(text).imports).toEqual([]);
  });

  test('knows the line of each', () => {
    expect(read("/* one\ntwo */\nimport 'x';\n\nimport { a } from 'y';\n").imports.map(({ line }) => line)).toEqual([
      3, 5,
    ]);
  });

  test('names targets from the root', () => {
    expect(targetPath('src/tokens/a.ts', '../kit/ids.ts')).toBe('src/kit/ids.ts');
    expect(targetPath('src/tokens/a.ts', 'pg')).toBeUndefined();
  });
});

describe('what is no code', () => {
  test.each([
    ["a('//'); b", "a('  '); b"],
    ['a(`x${b({ c: `}` })}y`); d', 'a(` ${b({ c: ` ` })} `); d'],
    ['a = /["\'`/*]/.test(b) / c / d', 'a =          .test(b) / c / d'],
    ["'\\'' + /[/]\\//g + x", "'  ' +          + x"],
    ['a /* b\nc */ d // e', 'a     \n     d     '],
  ])('is blanked: %s', (text, code) => {
    expect(read(text).code).toBe(code);
  });

  test('keeps every line and every column', () => {
    const text = 'a(`\n${b}\n`, "c"); // d\n/e\\/f/.g;\n';
    const { code } = read(text);
    expect(code).toHaveLength(text.length);
    expect(code.split('\n').length).toBe(text.split('\n').length);
  });

  test('gives the strings', () => {
    expect(read("a('one', `two ${three} four`)").strings.map(({ text }) => text)).toEqual(['one', 'two ', ' four']);
  });
});
