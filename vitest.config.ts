import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What `npm run test:faults` runs alone: how the database and the build come through what happens to them, and what is long. */
export const LEFT_TO_FAULTS = [
  'sandbox/postgres/embedded-installation.test.ts',
  'sandbox/postgres/embedded-recovery.test.ts',
  'test/acquirers/amounts.test.ts',
  'test/build.test.ts',
  'test/events/crash.test.ts',
  'test/import/size.test.ts',
  'test/settlements/closing-size.test.ts',
  'test/settlements/real-day.test.ts',
  'test/settlements/size.test.ts',
];

/** Beginnings of the names of the files that take longest. */
const LONGEST = [
  'test/leak/leak.',
  'test/completeness/routes.',
  'test/fuzz-short/fuzz.',
  'test/recorded/recorded.',
  'test/gift-cards/life-model.',
  'test/accounts/model.',
  'test/payments/model.',
  'test/faults-short/',
  'sandbox/postgres/',
  'test/acquirers/',
  'test/command-line/',
  'test/completeness/',
  'test/browser/',
  'test/three-ds/',
  'test/import/',
  'test/docs/walks.',
  'test/events/commands.',
  'test/accounts/',
  'test/portal/passwords.',
  'test/package.',
  'test/processes.',
];

/**
 * What takes longest begins first, so that all processes end together. Vitest knows how long a file took the last time; in
 * a fresh clone it would go by the files' sizes, which say little.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.includes(`/${name}`));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: ['{src,sandbox,test}/**/*.test.ts'],
    // Long runs against faults, and of the fuzzer, have configurations of their own.
    exclude: ['test/faults/**', 'test/fuzz/**', 'node_modules/**', 'dist/**', ...LEFT_TO_FAULTS],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checks-setup.ts', 'test/support/process-setup.ts', 'test/support/seed-setup.ts'],
    // The same draws in each run, or a change would be blamed for what a rare draw finds. The long runs draw others.
    env: { TEST_SEED: process.env['TEST_SEED'] ?? '1' },
    // To load the service for each file anew takes longer than most files' tests. So files share a process, and with it
    // what modules keep: nothing but a browser and caches. A file that changes more of its process than that undoes it.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // One more than CI has cores. Tests wait for their database, a browser and commands: with two processes a third of the
    // processor time is left over, with three a fifth.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for may take as long as a step in a browser: its machine does other things too.
    expect: { poll: { timeout: 12_000 } },
    // A test that fails now and then has found something.
    retry: 0,
  },
});
