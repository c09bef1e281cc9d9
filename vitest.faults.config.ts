import { defineConfig } from 'vitest/config';
import { SOURCES } from './vitest.config.ts';

/** The long runs against faults: `npm run test:faults`, an hour on two busy cores. */
export default defineConfig({
  resolve: SOURCES,
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // One after the other: they measure, and they kill.
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
