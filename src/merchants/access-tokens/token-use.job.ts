import type { JobContext } from '../../db/job-context.types.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { noteKeyUse } from '../hmac-keys/find-hmac-secret.ts';
import type { AccessTokenKey, HmacKeyName } from '../merchants.types.ts';
import { noteTokenUse } from './find-caller.ts';

/** Writes down which credentials are in use, beside the requests that use them. */
export interface TokenUseJob {
  /** Takes note of a token and returns at once. */
  readonly note: (token: AccessTokenKey) => void;
  /** Takes note of an HMAC key and returns at once. */
  readonly noteKey: (key: HmacKeyName) => void;
  /** Waits until what was noted is written. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the job. What is noted while one write is under way goes with the next one, so a busy service writes seldom and
 * there is no timer. A write that fails is forgotten: the credential's next look-up notes it again.
 */
export function startTokenUseJob({ background, transact }: JobContext): TokenUseJob {
  const write = (piece: (transaction: Transaction) => Promise<unknown>) =>
    background.attempt('note-token-use', () => transact(piece));
  const tokens = gather<AccessTokenKey>((noted) => write((transaction) => noteTokenUse(transaction, noted)));
  const keys = gather<HmacKeyName>((noted) => write((transaction) => noteKeyUse(transaction, noted)));
  return {
    note: (token) => tokens.note(token.accessTokenId, token),
    noteKey: (key) => keys.note(`${key.payeeId} ${key.keyId}`, key),
    stop: async () => {
      await Promise.all([tokens.written(), keys.written()]);
    },
  };
}

function gather<Item>(write: (noted: readonly Item[]) => Promise<unknown>) {
  const noted = new Map<string, Item>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (noted.size > 0) {
      const items = [...noted.values()];
      noted.clear();
      await write(items);
    }
    writing = undefined;
  }

  return {
    note(name: string, item: Item): void {
      noted.set(name, item);
      writing ??= writeAll();
    },
    written: async () => writing,
  };
}
