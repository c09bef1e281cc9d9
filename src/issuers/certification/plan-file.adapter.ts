import { readFileSync } from 'node:fs';
import { Misuse } from '../../kit/work/trouble.ts';

/**
 * The JSON in a file.
 *
 * @throws Misuse where it cannot be read, or is none
 */
export function openPlan(path: string): unknown {
  const text = textOf(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new Misuse(`The file ${path} is no JSON.`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Misuse(`The file ${path} cannot be read.`);
  }
}
