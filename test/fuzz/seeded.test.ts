import { it } from 'vitest';
import { FUZZ_BUGS } from '../support/prober/fuzz-bugs.ts';
import { expectFound } from '../support/prober/fuzz-runs.ts';

/** A control that depends on luck proves nothing. */
const SEEDS = 10;

it.each(FUZZ_BUGS)('runs with ten seeds turn red where $name', (bug) => expectFound(bug, SEEDS));
