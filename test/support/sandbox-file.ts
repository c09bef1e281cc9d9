import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxAccount, SandboxAccounts } from '../../sandbox/seeds/ensure-accounts.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { SigningCredentials } from './service.ts';
import type { SandboxPortal } from './shop/portal.ts';

/** What `sandbox.json` says. */
export interface Sandbox extends Pick<SandboxAccounts, 'testCards'> {
  readonly baseUrl: string;
  readonly payeeId: PayeeId;
  readonly accessToken: string;
  readonly hmac: SigningCredentials;
  readonly oauth: { readonly clientId: string; readonly clientSecret: string };
  readonly callbackSecret: string;
  readonly giftCardProductId: string;
  readonly accounts: readonly [SandboxAccount, ...SandboxAccount[]];
  readonly portal: SandboxPortal;
}

export function readSandbox(dataDir: string): Sandbox {
  return JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'));
}
