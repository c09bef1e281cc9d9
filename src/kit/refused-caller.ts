import type { Caller } from './caller.ts';

/** What is wrong with a signature. The caller is not told, but in the sandbox; the log and the audit trail are. */
export type SignatureFault = 'missing' | 'malformed' | 'unknown-key' | 'wrong-digest' | 'wrong-time' | 'used-nonce';

/** Why a caller was not let in, as the audit trail says it. Its words are in `locales/`. */
export type RefusalReason =
  | SignatureFault
  | 'no-token'
  | 'malformed-token'
  | 'unknown-token'
  | 'expired-token'
  | 'revoked-token'
  | 'unknown-client'
  | 'expired-client'
  | 'revoked-client'
  | 'wrong-secret'
  | 'unknown-user'
  | 'wrong-password'
  | 'wrong-code'
  | 'closed'
  | 'many';

/** What a caller gave as proof of who they are. */
export type Proof =
  | { readonly kind: 'nothing' }
  /** As it was sent; undefined where the header had no such form. It is kept as a digest, and in memory alone. */
  | { readonly kind: 'access-token'; readonly accessToken: string | undefined }
  /** The access token was right. */
  | {
      readonly kind: 'signature';
      readonly caller: Pick<Caller, 'payeeId' | 'credential'>;
      readonly fault: SignatureFault;
    }
  /** `clientId` as it was sent; undefined where none was. */
  | { readonly kind: 'oauth-client'; readonly clientId: string | undefined }
  /** An e-mail address that no portal user has. */
  | { readonly kind: 'portal-user' };

/** A request whose sender did not prove who they are. */
export interface RefusedCaller {
  /** Of the caller: IPv4 or IPv6, without port, brackets and zone. */
  readonly address: string;
  /** Of the request. */
  readonly sessionId: string;
  readonly proof: Proof;
}

/**
 * Takes note of a caller who was refused, for the audit trail (PCI DSS 4.0.1, 10.2.1.4). Returns at once and never
 * throws.
 */
export type NoteRefused = (refused: RefusedCaller) => void;
