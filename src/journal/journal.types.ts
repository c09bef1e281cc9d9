import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';

/** One thing that somebody did: who, what, to which object. The database adds when. */
export interface AuditEntry {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** A verb of the domain, as in `archive-token`. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  /** What a reader needs beside that. Never a secret, never card data; free text was scanned before. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}
