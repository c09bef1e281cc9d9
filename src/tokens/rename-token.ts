import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { nameOf, present } from './get-token.ts';
import { showToken } from './show-token.ts';
import { writeTokenEvents } from './token-events.ts';
import { lockToken, saveDisplayName } from './tokens.store.ts';
import type { Token, TokenContext } from './tokens.types.ts';

export interface RenameToken {
  readonly payeeId: PayeeId;
  readonly tokenId: string;
  /** 1 to 100 characters after trimming. */
  readonly displayName: string;
  readonly actor: Actor;
}

/**
 * Gives a token another display name; an archived one too. Nothing else of it changes. The name that it has changes nothing.
 *
 * @throws Refusal `notfound`
 */
export async function renameToken(
  transaction: Transaction,
  context: TokenContext,
  command: RenameToken,
): Promise<Token> {
  const { payeeId, actor } = command;
  const name = nameOf(command.tokenId);
  const token = present(name, await lockToken(transaction, { payeeId, token: name.token }));
  const displayName = command.displayName.trim();
  if (displayName === token.displayName) return showToken(context, token);
  const saved = await saveDisplayName(transaction, token, displayName);
  assert(saved.count === 1, 'a locked token that is there can be renamed');
  const renamed = await showToken(context, { ...token, displayName });
  await writeAudit(transaction, [{ payeeId, actor, action: 'rename-token', objectId: renamed.id }]);
  await writeTokenEvents(transaction, payeeId, 'token.renamed', saved.rows);
  return renamed;
}
