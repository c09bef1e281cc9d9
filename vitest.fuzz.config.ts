import { defineConfig } from 'vitest/config';

/** The long run of the fuzzer, the mistakes that it has to find, and what others send in part to each route: `npm run test:fuzz`. */
export default defineConfig({
  test: {
    include: [
      'test/fuzz/**/*.test.ts',
      'test/leak/leak.test.ts',
      'test/completeness/{routes,signatures}.test.ts',
      'test/portal/security.test.ts',
    ],
    env: { TEST_LEAK: 'all', TEST_ROUTES: 'all' },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checks-setup.ts', 'test/support/process-setup.ts', 'test/support/seed-setup.ts'],
    // One after the other: they measure.
    maxWorkers: 1,
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
