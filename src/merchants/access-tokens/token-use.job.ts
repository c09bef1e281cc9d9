import type { AccessTokenKey, BackgroundContext } from '../merchants.types.ts';
import { noteTokenUse } from './find-caller.ts';

/** Writes down which tokens are in use, beside the requests that use them. */
export interface TokenUseJob {
  /** Takes note of a token and returns at once. */
  readonly note: (token: AccessTokenKey) => void;
  /** Waits until what was noted is written. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the job. What is noted while one write is under way goes with the next one, so a busy service writes seldom and
 * there is no timer. A write that fails is forgotten: the token's next look-up notes it again.
 */
export function startTokenUseJob({ background, transact }: BackgroundContext): TokenUseJob {
  const noted = new Map<string, AccessTokenKey>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (noted.size > 0) {
      const tokens = [...noted.values()];
      noted.clear();
      await background.attempt('note-token-use', () => transact((transaction) => noteTokenUse(transaction, tokens)));
    }
    writing = undefined;
  }

  return {
    note(token) {
      noted.set(token.accessTokenId, token);
      writing ??= writeAll();
    },
    stop: async () => writing,
  };
}
