import { defineConfig } from 'vitest/config';

/** Each page in every language, in light and dark, on a phone and on a desktop: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checks-setup.ts', 'test/support/process-setup.ts'],
    env: { TEST_LOOKS: 'all' },
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // What is waited for may take as long as a step in a browser: its machine does other things too.
    expect: { poll: { timeout: 12_000 } },
    retry: 0,
  },
});
