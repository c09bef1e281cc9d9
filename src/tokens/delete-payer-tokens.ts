import type { Transaction } from '../db/transaction.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { destroyTokens } from './delete-token.ts';
import { showTokens } from './show-token.ts';
import { lockPayers, lockPayerTokens } from './tokens.store.ts';
import type { Token, TokenContext } from './tokens.types.ts';

export interface DeletePayerTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  readonly comment: string | undefined;
  readonly actor: Actor;
}

/** Deletes all tokens of a payer, of every type, and answers those that this call deleted. */
export async function deletePayerTokens(
  transaction: Transaction,
  context: TokenContext,
  command: DeletePayerTokens,
): Promise<readonly Token[]> {
  const { payeeId, payerReference, comment, actor } = command;
  await lockPayers(transaction, payeeId, [payerReference]);
  const tokens = await lockPayerTokens(transaction, payeeId, payerReference);
  const shown = await showTokens(context, tokens);
  await destroyTokens(transaction, { payeeId, tokens, comment, actor });
  return shown;
}
