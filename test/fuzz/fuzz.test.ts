import { it } from 'vitest';
import { expectNothingFound, LONG_RUN } from '../support/fuzz-runs.ts';

it(`${LONG_RUN.requests} requests that nobody means well find nothing`, () => expectNothingFound(LONG_RUN));
