import { expect, it, onTestFinished } from 'vitest';
import { FUZZ_BUGS } from '../support/fuzz-bugs.ts';
import { runFuzz } from '../support/fuzz-run.ts';
import { openFuzzSite } from '../support/fuzz-site.ts';
import { buildWith } from '../support/money-bugs.ts';
import { testSeed } from '../support/tokens-seed.ts';

/** Most are found within the requests of a short run. What needs luck may take longer; what ends at its finding may. */
const PLAN = { requests: 20_000, heapGrowthBytes: 16 * 1024 * 1024 };

it.each(FUZZ_BUGS)('a run turns red where $name', async (bug) => {
  const seed = testSeed();
  const site = await openFuzzSite(await buildWith(bug));
  onTestFinished(() => site.stop());
  const { findings, requests } = await runFuzz(site, { ...PLAN, seed, until: bug.finding });
  const found = findings.find((finding) => bug.finding.test(finding));
  expect(found, `seed ${seed}: not found in ${requests} requests`).toBeDefined();
  process.stdout.write(`seed ${seed}: red after ${requests} requests: ${found?.slice(0, 1_000)}\n`);
});
