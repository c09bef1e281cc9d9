import { it } from 'vitest';
import { expectNothingFound, SHORT_RUN } from '../support/prober/fuzz-runs.ts';

// On one core that many others use it takes minutes.
const TIMEOUT_MS = 10 * 60_000;

it(`${SHORT_RUN.requests} hostile requests find nothing`, () => expectNothingFound(SHORT_RUN), TIMEOUT_MS);
