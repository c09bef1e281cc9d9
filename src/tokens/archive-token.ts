import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import { PAGE_TOKENS } from '../kit/limits.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { nameOf, present } from './get-token.ts';
import { pageOfTokens } from './list-tokens.ts';
import { showToken } from './show-token.ts';
import { writeTokenEvents } from './token-events.ts';
import { archive, checkArchiver, portionsOf, tokenId } from './tokens.rules.ts';
import { lockPayers, lockPayerTokens, lockToken, saveArchived } from './tokens.store.ts';
import type { Archiving, StoredToken, Token, TokenContext, TokenPage } from './tokens.types.ts';

export interface ArchiveToken {
  readonly payeeId: PayeeId;
  readonly tokenId: string;
  readonly archiving: Archiving;
  /** Of the caller: archiving in the name of the operator or the issuer needs a scope of its own. */
  readonly scopes: ReadonlySet<string>;
  readonly actor: Actor;
}

/**
 * Archives a token. One that is archived already stays as it is: the first archiver and reason are kept.
 *
 * @throws Refusal `notfound`, `forbidden`
 */
export async function archiveToken(
  transaction: Transaction,
  context: TokenContext,
  command: ArchiveToken,
): Promise<Token> {
  const { payeeId, archiving, actor } = command;
  const name = nameOf(command.tokenId);
  const token = present(name, await lockToken(transaction, { payeeId, token: name.token }));
  const refusal = checkArchiver(command.scopes, archiving);
  if (refusal !== undefined) throw refusal;
  const archived = archive(token, archiving);
  await saveArchivedTokens(transaction, { payeeId, archiving, actor, tokens: archived === token ? [] : [token] });
  return showToken(context, archived);
}

/** Archives tokens that are locked and active, notes who did, and tells of it. */
async function saveArchivedTokens(
  transaction: Transaction,
  change: {
    readonly payeeId: PayeeId;
    readonly archiving: Archiving;
    readonly actor: Actor;
    readonly tokens: readonly StoredToken[];
  },
): Promise<void> {
  for (const tokens of portionsOf(change.tokens)) await saveArchivedPortion(transaction, { ...change, tokens });
}

async function saveArchivedPortion(
  transaction: Transaction,
  { payeeId, archiving, actor, tokens }: Parameters<typeof saveArchivedTokens>[1],
): Promise<void> {
  const guids = tokens.map(({ token }) => token);
  const saved = await saveArchived(transaction, payeeId, guids, { ...archiving, reason: archiving.reason.trim() });
  assert(saved.count === tokens.length, 'locked active tokens can be archived');
  await writeAudit(
    transaction,
    tokens.map((token) => ({
      payeeId,
      actor,
      action: 'archive-token',
      objectId: tokenId(token),
      details: { archivedBy: archiving.updatedBy },
    })),
  );
  await writeTokenEvents(transaction, payeeId, 'token.archived', saved.rows);
}

export interface ArchiveCard {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  readonly instrumentId: InstrumentId;
  readonly archiving: Archiving;
  readonly actor: Actor;
}

/** Archives all active tokens by which a payer may pay with a card, expired ones too: afterwards nothing offers it. */
export async function archiveCard(transaction: Transaction, command: ArchiveCard): Promise<void> {
  const { payeeId, payerReference, instrumentId, archiving, actor } = command;
  // A payment that stores the card at this moment waits here, and then stores it anew.
  await lockPayers(transaction, payeeId, [payerReference]);
  const all = await lockPayerTokens(transaction, payeeId, payerReference);
  const tokens = all.filter(
    (token) => token.state === 'Active' && token.tokenType === 'Payment' && token.instrumentId === instrumentId,
  );
  await saveArchivedTokens(transaction, { payeeId, archiving, actor, tokens });
}

/**
 * Archives the active tokens of a card that is no more, of any payer.
 *
 * @param tokens those that have the card, as they were found
 * @returns how many these were
 */
export async function archiveClosedCard(
  transaction: Transaction,
  { payeeId, instrumentId, archiving, actor }: Omit<ArchiveCard, 'payerReference'>,
  tokens: readonly StoredToken[],
): Promise<number> {
  const payers = [...new Set(tokens.map(({ payerReference }) => payerReference))].sort();
  await lockPayers(transaction, payeeId, payers);
  let archived = 0;
  for (const payer of payers) {
    const all = await lockPayerTokens(transaction, payeeId, payer);
    const active = all.filter((token) => token.state === 'Active' && token.instrumentId === instrumentId);
    await saveArchivedTokens(transaction, { payeeId, archiving, actor, tokens: active });
    archived += active.length;
  }
  return archived;
}

interface ArchivePayerTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  readonly archiving: Archiving;
  readonly scopes: ReadonlySet<string>;
  readonly actor: Actor;
}

/**
 * Archives all active tokens of a payer and answers the first page of the collection. A request that makes a token
 * takes the payer's lock too, so afterwards nothing that is older than this is active.
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
