import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../src/kit/ids.ts';
import { randomSecret } from '../../src/kit/secret.ts';
import { composeAccessToken } from '../../src/merchants/access-tokens/access-tokens.rules.ts';
import { createAccessToken, revokeAccessToken } from '../../src/merchants/access-tokens/access-tokens.ts';
import type { TestService } from '../support/service.ts';

/** Access tokens that are not valid, each in another way. */
export interface BadTokens {
  readonly [kind: string]: string;
}

/** Makes access tokens of the demo payee that are no longer valid, or never were. */
export async function badTokens(kontor: TestService): Promise<BadTokens> {
  const { accessToken } = kontor;
  const wrongEnd = accessToken.endsWith('0') ? '1' : '0';
  return {
    'no access token': 'marqueur',
    'wrong checksum': accessToken.slice(0, -1) + wrongEnd,
    "other mode's": composeAccessToken('production', kontor.payeeId, randomSecret()),
    unknown: composeAccessToken('sandbox', kontor.payeeId, randomSecret()),
    'of an unknown payee': composeAccessToken('sandbox', crypto.randomUUID() as PayeeId, randomSecret()),
    revoked: await revokedToken(kontor),
    expired: await expiredToken(kontor),
  };
}

/** An access token of the operator's, with every scope. */
export function operatorToken(kontor: TestService, scopes: readonly string[]): Promise<string> {
  return kontor.addAccessToken(scopes, OPERATOR);
}

async function revokedToken(kontor: TestService): Promise<string> {
  const { accessTokenId, accessToken } = await makeToken(kontor);
  const { payeeId } = kontor;
  await kontor.service.database.transact((transaction) =>
    revokeAccessToken(transaction, { payeeId, accessTokenId, actor: COMMAND_LINE }),
  );
  return accessToken.reveal();
}

async function expiredToken(kontor: TestService): Promise<string> {
  const { accessTokenId, accessToken } = await makeToken(kontor);
  await kontor.database.asAdmin(
    `update access_token set created_at = created_at - interval '1 day', expires_at = kontor_now() - interval '1 ms'
     where access_token_id = '${accessTokenId}'`,
  );
  return accessToken.reveal();
}

function makeToken({ service, payeeId }: TestService) {
  const command = { payeeId, name: 'Test', scopes: ['tokens:read', 'tokens:write'], actor: COMMAND_LINE };
  return service.database.transact((transaction) => createAccessToken(transaction, service.merchants, command));
}
