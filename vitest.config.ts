import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests run on the sources, also where the package's own name for its texts leads to what was built of them. */
export const SOURCES = { alias: [{ find: /^#locales\/(.*)$/, replacement: `${import.meta.dirname}/locales/$1.ts` }] };

/** Beginnings of the names of the files that take longest. */
const LONGEST = [
  'test/leak/leak.',
  'test/completeness/members.',
  'test/fuzz-short/fuzz.',
  'test/completeness/forms.',
  'test/gift-cards/life-model.',
  'test/accounts/model.',
  'test/payments/model.',
  'test/build.',
  'test/faults-short/',
  'src/db/embedded/',
  'test/acquirers/',
  'test/command-line/',
  'test/completeness/',
  'test/browser/',
  'test/three-ds/',
  'test/import/',
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

/** These measure how long something takes beside something else. More processes than cores would decide what they find. */
const MEASURING = [
  'src/http/body/media-type.test.ts',
  'src/http/downloads.test.ts',
  'src/http/edge/forwarded.test.ts',
  'src/http/listening/overdue.test.ts',
  'src/kit/cards/find-card-numbers.test.ts',
  'test/accounts/look-ups.test.ts',
  'test/completeness/texts.test.ts',
  'test/costs.test.ts',
  'test/fuzz-short/**/*.test.ts',
  'test/gift-cards/pre-deposit.test.ts',
  'test/orders/guessing.test.ts',
  'test/tidy/regexes.test.ts',
];

/** Of all test files alike. */
const SHARED = {
  setupFiles: ['test/support/process-setup.ts'],
  // To load the service for each file anew takes longer than most files' tests. So files share a process, and with it
  // what modules keep: nothing but a browser and caches. A file that changes more of its process than that undoes it.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What is waited for may take as long as a step in a browser: its machine does other things too.
  expect: { poll: { timeout: 12_000 } },
  // A test that fails now and then has found something.
  retry: 0,
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: SOURCES,
        test: { ...SHARED, name: 'measuring', include: MEASURING, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        resolve: SOURCES,
        test: {
          ...SHARED,
          name: 'all else',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          // Long runs against faults, and of the fuzzer, have configurations of their own.
          exclude: [...MEASURING, 'test/faults/**', 'test/fuzz/**', 'node_modules/**', 'dist/**'],
          // One more than CI has cores: it works while the others wait for a process, a browser or a clock.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
