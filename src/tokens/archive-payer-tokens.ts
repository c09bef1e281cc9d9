import type { Transaction } from '../db/transaction.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { PAGE_TOKENS } from '../kit/limits.ts';
import { saveArchivedTokens } from './archive-token.ts';
import { pageOfTokens } from './list-tokens.ts';
import { checkArchiver } from './tokens.rules.ts';
import { lockPayers, lockPayerTokens } from './tokens.store.ts';
import type { Archiving, TokenContext, TokenPage } from './tokens.types.ts';

export interface ArchivePayerTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  readonly archiving: Archiving;
  readonly scopes: ReadonlySet<string>;
  readonly actor: Actor;
}

/**
 * Archives all active tokens of a payer and answers the first page of the collection. Whoever makes a token takes the
 * payer's lock too, so afterwards nothing that is older than this is active.
 *
 * @throws Refusal `forbidden`
 */
export async function archivePayerTokens(
  transaction: Transaction,
  context: TokenContext,
  command: ArchivePayerTokens,
): Promise<TokenPage> {
  const { payeeId, payerReference, archiving, actor } = command;
  const refusal = checkArchiver(command.scopes, archiving);
  if (refusal !== undefined) throw refusal;
  await lockPayers(transaction, payeeId, [payerReference]);
  const all = await lockPayerTokens(transaction, payeeId, payerReference);
  const tokens = all.filter((token) => token.state === 'Active');
  await saveArchivedTokens(transaction, { payeeId, archiving, actor, tokens });
  const read = transaction.run.bind(transaction);
  const whole = { archivedOnly: false, filter: {}, cursor: undefined, limit: PAGE_TOKENS };
  return pageOfTokens(context, read, { payeeId, payerReference, ...whole });
}
