import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WRITERS } from '../../src/wiring/writers.ts';
import { ROOT } from '../tidy/files.ts';

/** What the sources name as written at the end of a batch. */
function namedWrites(): string[] {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.types.ts'))
    .flatMap((path) => [...readFileSync(join(ROOT, 'src', path), 'utf8').matchAll(/: WriteName<\w+> = '([^']+)'/g)])
    .map(([, name]) => name ?? '');
}

test('each row that a command writes has one writer', () => {
  expect(WRITERS.map(({ name }) => name).sort()).toEqual(namedWrites().sort());
});
