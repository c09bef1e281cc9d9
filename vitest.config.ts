import { defineConfig } from 'vitest/config';

/** Tests run on the sources, also where the package's own name for its texts leads to what was built of them. */
export const SOURCES = { alias: [{ find: /^#locales\/(.*)$/, replacement: `${import.meta.dirname}/locales/$1.ts` }] };

export default defineConfig({
  resolve: SOURCES,
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Long runs against faults, and of the fuzzer, have configurations of their own.
    exclude: ['test/faults/**', 'test/fuzz/**', 'node_modules/**', 'dist/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/process-setup.ts'],
    // To load the service for each file anew takes longer than most files' tests. So files share a process, and with it
    // what modules keep: nothing but a browser and caches. A file that changes more of its process than that undoes it.
    isolate: false,
    // As many as the machine has cores to spare in CI; more only makes each slower.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A test that fails now and then has found something.
    retry: 0,
  },
});
