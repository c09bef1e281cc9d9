import { describe, expect, test } from 'vitest';
import { projectFiles, type SourceFile, serviceSources } from './files.ts';
import { readSource } from './source.ts';

/** The byte that pads the inner key of an HMAC (RFC 2104, section 2): code that has it builds an HMAC. */
const PAD = /\b0x36\b/i;
const TYPES = ['KeyObject', 'ScryptOptions'];

function importedFunctions(file: SourceFile): string[] {
  const imports = readSource(file).imports.filter(({ specifier }) => specifier?.match(/^(node:)?crypto$/));
  return imports.flatMap(({ names }) => names).filter((name) => !TYPES.includes(name));
}

/** The functions in the last column of the table of SECURITY.md. */
function namedFunctions(): string[] {
  const { text = '' } = projectFiles().find(({ path }) => path === 'SECURITY.md') ?? {};
  const section = text.split('## Cryptography')[1]?.split('\n## ')[0] ?? '';
  const cells = section.split('\n').map((line) => line.split('|')[3] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

const padsKeys = (file: SourceFile) => PAD.test(readSource(file).code);

describe('cryptography', () => {
  test('is that of the runtime: SECURITY.md names each function that is imported, and no other', () => {
    const used = serviceSources().flatMap(importedFunctions);
    expect(new Set(namedFunctions())).toEqual(new Set(used));
  });

  test('has no HMAC that is built of hashes', () => {
    expect(serviceSources().filter(padsKeys)).toEqual([]);
    expect(padsKeys({ path: 'planted.ts', text: 'const [INNER_PAD, OUTER_PAD] = [0x36, 0x5c];' })).toBe(true);
  });
});
