import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import type { MerchantsContext, NewCredential } from '../merchants.types.ts';
import { composeAccessToken } from './access-tokens.rules.ts';
import { insertAccessToken } from './access-tokens.store.ts';
import { checkName, checkScopes, readLifetime } from './credentials.rules.ts';

/** A token as its maker sees it, this once. */
export interface FreshAccessToken {
  readonly accessTokenId: string;
  readonly accessToken: Secret;
  readonly expiresAt: string;
}

/**
 * Creates a long-lived access token. Only its SHA-256 is kept, so nobody can show it again.
 *
 * @param command `expiresIn` as in `90d` or `12m`; undefined is twelve months, the longest
 * @throws Refusal `forbidden` for a scope that the maker does not have
 * @throws Refusal `inputerror` for a name, a scope or a lifetime that breaks its rules
 */
export async function createAccessToken(
  transaction: Transaction,
  context: MerchantsContext,
  command: NewCredential & { expiresIn?: string | undefined; actor: Actor },
): Promise<FreshAccessToken> {
  const { payeeId, actor } = command;
  const name = checkName(command.name, context.cardPrefixes());
  const scopes = checkScopes(command.scopes, command.grantable);
  const lifetime = readLifetime(command.expiresIn);
  const accessTokenId = context.newId();
  const accessToken = composeAccessToken(context.mode, payeeId, context.newSecret());
  const { rows } = await insertAccessToken(transaction, {
    payeeId,
    accessTokenId,
    hash: sha256(accessToken),
    name,
    scopes,
    createdBy: actor.name,
    lifetime,
    oauthClientId: null,
  });
  const [inserted] = rows;
  assert(inserted, 'a new access token is one row');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-access-token',
      objectId: accessTokenId,
      details: { scopes: scopes.join(' '), expiresAt: inserted.expiresAt },
    },
  ]);
  return { accessTokenId, accessToken: new Secret(accessToken), expiresAt: inserted.expiresAt };
}
