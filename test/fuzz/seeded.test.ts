import { expect, it, onTestFinished } from 'vitest';
import { FUZZ_BUGS } from '../support/fuzz-bugs.ts';
import { runFuzz } from '../support/fuzz-run.ts';
import { SHORT_RUN } from '../support/fuzz-runs.ts';
import { openFuzzSite } from '../support/fuzz-site.ts';
import { buildWith } from '../support/money-bugs.ts';
import { testSeed } from '../support/tokens-seed.ts';

/** Most are found within the requests of a short run. What needs luck may take longer; what ends at its finding may. */
const REQUESTS = 4 * SHORT_RUN.requests;

it.each(FUZZ_BUGS)('a run turns red where $name', async (bug) => {
  const seed = testSeed();
  const site = await openFuzzSite(await buildWith(bug));
  onTestFinished(() => site.stop());
  const { findings, requests } = await runFuzz(site, { ...SHORT_RUN, requests: REQUESTS, seed, until: bug.finding });
  const found = findings.find((finding) => bug.finding.test(finding));
  expect(found, `seed ${seed}: not found in ${requests} requests`).toBeDefined();
  process.stdout.write(`seed ${seed}: red after ${requests} requests: ${found?.slice(0, 1_000)}\n`);
});
