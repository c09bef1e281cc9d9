import type { SandboxThreeDS } from '../issuers/authentication/compose.ts';
import type { SandboxAcquirer } from '../issuers/compose.ts';
import type { TestCard } from '../payments/payments.types.ts';

/** What a sandbox has in place of what an operator connects. */
export interface Sandbox {
  readonly acquirer: SandboxAcquirer;
  readonly threeDS: SandboxThreeDS;
  readonly testCards: readonly TestCard[];
}
