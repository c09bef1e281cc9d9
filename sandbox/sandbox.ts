import type { Transaction } from '../src/db/transaction.types.ts';
import { loadGiftCardPrefixes } from '../src/gift-cards/products/products.ts';
import { ISO93 } from '../src/iso8583/dialects/iso93.rules.ts';
import type { AcquirersSetup } from '../src/issuers/acquirers/acquirers.types.ts';
import { OWN_PREFIX } from '../src/issuers/issuers.rules.ts';
import { addOwnCardRanges } from '../src/vault/add-own-card-ranges.ts';
import type { Sandbox } from '../src/wiring/sandbox.types.ts';
import { startTestAcquirer } from './acquirer/start-test-acquirer.ts';
import { addSandboxCardRanges } from './cards/add-card-ranges.ts';
import { sandboxServer, sandboxTerms } from './cards/authentication.rules.ts';
import { SANDBOX_ACQUIRER, sandboxIssuer } from './cards/issuer.rules.ts';
import { SANDBOX_TEST_CARDS } from './cards/test-cards.rules.ts';
import { startTestThreeDS } from './three-ds/start-three-ds.ts';

/** The one acquirer of a sandbox. Its agreement is every payee's, so the list has none. */
export const SANDBOX_ACQUIRERS: AcquirersSetup = {
  path: undefined,
  acquirers: [SANDBOX_ACQUIRER],
  agreements: [],
  threeDS: undefined,
  dialects: new Map([[SANDBOX_ACQUIRER.id, ISO93]]),
};

/** What a sandbox gives the slices. */
export const SANDBOX: Sandbox = {
  acquirer: {
    issuerOf: (lineOf) => sandboxIssuer(lineOf(SANDBOX_ACQUIRER.id)),
    start: () => startTestAcquirer({ dialect: ISO93, port: 0, answerMs: SANDBOX_ACQUIRER.answerMs, believes: true }),
  },
  threeDS: {
    start: async () => {
      const hosts = await startTestThreeDS({ port: 0 });
      return { server: sandboxServer(hosts.port), termsFor: sandboxTerms, close: () => hosts.close() };
    },
  },
  testCards: SANDBOX_TEST_CARDS,
};

/** Adds the ranges of the test cards of the schemes, and of our own. What is there stays, so twice is as once. */
export async function addTestCardRanges(transaction: Transaction): Promise<void> {
  await addSandboxCardRanges(transaction);
  await addOwnCardRanges(transaction, [OWN_PREFIX, ...(await loadGiftCardPrefixes(transaction))]);
}
