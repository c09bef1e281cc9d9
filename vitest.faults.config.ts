import { defineConfig } from 'vitest/config';
import { LEFT_TO_FAULTS } from './vitest.config.ts';

/** The long runs against faults, and all that can end a service: `npm run test:faults`, an hour on two busy cores. */
export default defineConfig({
  test: {
    include: [
      'test/faults/**/*.test.ts',
      'test/attacks/*.test.ts',
      ...LEFT_TO_FAULTS,
      'sandbox/postgres/embedded.test.ts',
      'test/first-start.test.ts',
      'test/edge/proxy-programs.test.ts',
      'test/command-line/*.test.ts',
      'test/faults-short/acquirer-crash.test.ts',
      'test/faults-short/messages-under-way.test.ts',
      'test/completeness/at-once.test.ts',
      'test/payments/card-testing.test.ts',
      'src/kit/cards/find-card-numbers.test.ts',
      'test/portal/passwords.test.ts',
      'test/three-ds/cards.test.ts',
      'test/{accounts,payments}/model.test.ts',
      'test/gift-cards/{import-cards,issue-file,liability,life-model}.test.ts',
      // Each command in a process of its own.
      'test/events/{commands,revival-size}.test.ts',
      'test/import/*.test.ts',
    ],
    env: { TEST_RUN: 'long' },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/checks-setup.ts', 'test/support/seed-setup.ts'],
    // One after the other: they measure, and they kill.
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
