import type { Transaction } from '../../db/transaction.types.ts';
import { type Caller, type Credential, whoIs } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCESS_TOKEN_CACHE_MS } from '../../kit/limits.ts';
import { type Recall, rememberBriefly } from '../../kit/work/brief-memory.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { AccessToken, AccessTokenKey, LookUpGiven, TokenDigest, ValidToken } from '../merchants.types.ts';
import { readAccessToken } from './access-tokens.rules.ts';
import { selectValidToken, updateLastUsed, VALID_TOKENS } from './access-tokens.store.ts';
import { knownScopes } from './credentials.rules.ts';

/** Access tokens that are remembered at once, so that a flood of valid ones cannot fill the memory. */
export const ACCESS_TOKEN_CACHE_ENTRIES = 10_000;

/** Finds out who sends a request: the caller, at once where they are known, or undefined where the token is not valid. */
export type FindCaller = Recall<string, Caller>;

/**
 * Makes the look-up of callers by access token. A positive answer is used again for less than a second, so that a
 * revoked token stops within a second on every instance (RFC 7009); a token that was just made works at once.
 *
 * The returned function rejects with a Refusal `unavailable` where the database is away.
 */
export function findCaller({ config, database }: Kontor, { now, noteUse }: LookUpGiven<AccessTokenKey>): FindCaller {
  const find = database.find<TokenDigest, ValidToken>(VALID_TOKENS);
  return rememberBriefly({
    now,
    maxAgeMs: ACCESS_TOKEN_CACHE_MS,
    entries: ACCESS_TOKEN_CACHE_ENTRIES,
    nameOf: (accessToken) => accessToken,
    ask: async (accessToken): Promise<Caller | undefined> => {
      const form = readAccessToken(config.mode, accessToken);
      if (form === undefined) return undefined;
      const { payeeId } = form;
      const token = await find({ payeeId, hash: `\\x${form.hash.toString('hex')}` });
      if (token === undefined) return undefined;
      const { accessTokenId, oauthClientId, actsAs, role, isReauthenticated, payeeState } = token;
      if (!token.usedToday && actsAs === null) noteUse({ payeeId, accessTokenId });
      const credential =
        actsAs === null ? ({ kind: 'access-token', id: accessTokenId } as const) : (whoIs(actsAs) as Credential);
      const client = oauthClientId === null ? {} : { client: `oauth-client:${oauthClientId}` };
      const person = role === null ? {} : { person: { role, isReauthenticated } };
      const stopped = payeeState === 'Active' || role === 'operator' ? {} : { stopped: payeeState };
      return { payeeId, credential, scopes: new Set(knownScopes(token.scopes)), ...client, ...person, ...stopped };
    },
  });
}

/** The access token of this text, if it is valid now and belongs to this payee; a foreign one is like an unknown one. */
export async function findOwnToken(
  transaction: Transaction,
  { config }: Kontor,
  payeeId: PayeeId,
  text: string,
): Promise<AccessToken | undefined> {
  const form = readAccessToken(config.mode, text);
  if (form?.payeeId !== payeeId) return undefined;
  const { rows } = await selectValidToken(transaction, form);
  return rows[0];
}

/**
 * Notes that these tokens were used today: at most one write for each token and day, however many instances see it.
 *
 * @returns how many of them were not noted yet
 */
export function noteTokenUse(transaction: Transaction, tokens: readonly AccessTokenKey[]): Promise<number> {
  return updateLastUsed(transaction, tokens);
}
