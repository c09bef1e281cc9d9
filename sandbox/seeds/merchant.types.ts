import type { PayeeId } from '../../src/kit/ids.ts';

/** A client of the sandbox, as `sandbox.json` shows it. */
export interface SandboxOAuth {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An HMAC key of the sandbox, as `sandbox.json` shows it. */
export interface SandboxHmac {
  readonly user: string;
  readonly secret: string;
}

/** The credentials in `sandbox.json`: in plain text on purpose, for they are worth nothing outside of the sandbox. */
export interface SandboxCredentials {
  readonly payeeId: PayeeId;
  readonly accessToken: string;
  readonly oauth: SandboxOAuth;
  readonly hmac: SandboxHmac;
}

/** What an earlier start wrote, as far as it can be read: every part may be missing or useless. */
export interface SandboxRemains {
  readonly payeeId: string | undefined;
  readonly accessToken: string | undefined;
  readonly oauth: SandboxOAuth | undefined;
  readonly hmac: SandboxHmac | undefined;
}

/** A part of the credentials that can be made anew. */
export type SandboxPart = 'payeeId' | 'accessToken' | 'oauth' | 'hmac';
