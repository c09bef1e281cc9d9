import type { Caller } from '../kit/caller.ts';
import { ACCESS_TOKEN_CACHE_ENTRIES, ACCESS_TOKEN_CACHE_MS } from '../kit/limits.ts';
import { readAccessToken } from './access-tokens.rules.ts';
import { VALID_TOKENS } from './access-tokens.store.ts';
import { knownScopes } from './credentials.rules.ts';
import type { CallerWorld, TokenDigest, ValidToken } from './merchants.types.ts';

/** A caller that was found a moment ago. */
interface Known {
  readonly caller: Caller;
  readonly freshUntil: number;
}

/** A look-up under way, for everybody who waits for it. */
interface LookUp {
  readonly answer: Promise<Caller | undefined>;
  readonly freshUntil: number;
}

/** Finds out who sends a request: the caller, at once where they are known, or undefined where the token is not valid. */
export type FindCaller = (accessToken: string) => Caller | undefined | Promise<Caller | undefined>;

/**
 * Makes the look-up of callers by access token. A positive answer is used again for less than a second, counted from
 * before the database was asked, so that a revoked token stops within a second on every instance (RFC 7009). A negative
 * one is never kept: a token that was just made works at once.
 *
 * Whoever asks for a token that is being looked up waits for the same answer. The returned function rejects with a
 * Refusal `unavailable` where the database is away.
 */
export function findCaller(world: CallerWorld): FindCaller {
  const find = world.makeFind<TokenDigest, ValidToken>(VALID_TOKENS);
  const known = new Map<string, Known>();
  const lookUps = new Map<string, LookUp>();

  async function ask(accessToken: string, freshUntil: number): Promise<Caller | undefined> {
    const form = readAccessToken(world.mode, accessToken);
    if (form === undefined) return undefined;
    const { payeeId } = form;
    const token = await find({ payeeId, hash: `\\x${form.hash.toString('hex')}` });
    known.delete(accessToken);
    if (token === undefined) return undefined;
    const { accessTokenId } = token;
    const credential = `access-token:${accessTokenId}`;
    const caller: Caller = { payeeId, credential, scopes: new Set(knownScopes(token.scopes)) };
    if (!token.usedToday) world.noteUse({ payeeId, accessTokenId });
    makeRoom(known);
    known.set(accessToken, { caller, freshUntil });
    return caller;
  }

  function lookUp(accessToken: string): Promise<Caller | undefined> {
    const now = world.now();
    const underWay = lookUps.get(accessToken);
    if (underWay !== undefined && now < underWay.freshUntil) return underWay.answer;
    const freshUntil = now + ACCESS_TOKEN_CACHE_MS;
    const answer = ask(accessToken, freshUntil).finally(() => {
      if (lookUps.get(accessToken)?.answer === answer) lookUps.delete(accessToken);
    });
    lookUps.set(accessToken, { answer, freshUntil });
    return answer;
  }

  return (accessToken) => {
    const found = known.get(accessToken);
    return found !== undefined && world.now() < found.freshUntil ? found.caller : lookUp(accessToken);
  };
}

/** A map keeps the order of insertion, so its first entry is the one that was found longest ago. */
function makeRoom(known: Map<string, Known>): void {
  if (known.size < ACCESS_TOKEN_CACHE_ENTRIES) return;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}
