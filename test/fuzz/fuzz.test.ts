import { it } from 'vitest';
import { expectNothingFound, LONG_RUN } from '../support/prober/fuzz-runs.ts';

it(`${LONG_RUN.requests} hostile requests find nothing`, () => expectNothingFound(LONG_RUN));
