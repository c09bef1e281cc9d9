import { ACCOUNT_PAYMENTS } from '../../accounts/payment-shelves.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { LineOutcome, Rejection } from '../../kit/imports/import.types.ts';
import { isRejection } from '../../kit/imports/import-lines.ts';
import type { Kontor } from '../../kontor.types.ts';
import { digestsOfNumber } from '../../ledger/accounts/account-number.ts';
import { openAccounts } from '../../ledger/accounts/open-accounts.ts';
import { tallyOf } from '../cards/many/tallies.ts';
import { firstDeposit } from '../first-deposit.ts';
import { GIFT_CARD_WRITERS } from '../gift-card-writers.ts';
import type { CardDraft } from '../gift-cards.types.ts';
import { makeCard } from '../make-card.ts';
import { selectProducts } from '../products/products.store.ts';
import { isSameCard, readCardLine, reject } from './import.rules.ts';
import { lockImport, selectDayEnds, selectKnownCards, selectTally } from './import.store.ts';
import type { CardLine, ImportCards, ImportedCards, KnownCard } from './import.types.ts';
import { issueCard } from './issue.rules.ts';

/** A line with its number under every live key, the current one first, in hexadecimal. */
interface Named {
  readonly line: CardLine;
  readonly names: readonly string[];
}

/**
 * Takes over some cards of another programme, all in one transaction. What is there already is not imported again, and
 * keeps what it holds now.
 *
 * @returns what became of each line, in their order, and the sums of the accepted ones in the file and in the ledger
 */
export async function importCards(
  transaction: Transaction,
  context: Kontor,
  command: ImportCards,
): Promise<ImportedCards> {
  const { payeeId, seen } = command;
  await lockImport(transaction, payeeId);
  const read = await readLines(transaction, command);
  const { live } = await loadWriteKeys(transaction, context.keyRing);
  const named = read.map((line) => (isRejection(line) ? line : nameOf(line)));
  const known = await selectKnownCards(
    transaction,
    payeeId,
    named.flatMap((one) => (isRejection(one) ? [] : one.names.map((name) => Buffer.from(name, 'hex')))),
  );
  const taken: { readonly line: CardLine; readonly card: KnownCard | undefined }[] = [];
  const numbers = new Set<string>();
  const outcomes = named.map((one): LineOutcome => {
    if (isRejection(one)) return one;
    const { line, names } = one;
    const [name] = names;
    assert(name !== undefined, 'there is a live key');
    if (seen.has(name) || numbers.has(name))
      return reject('accountKey', 'is in the file before; the first line stands');
    const card = names.map((digest) => known.get(digest)).find((found) => found !== undefined);
    if (card !== undefined && !isSameCard(card, line)) {
      return reject('accountKey', 'is the number of a card that is there and began with other content');
    }
    numbers.add(name);
    taken.push({ line, card });
    return card === undefined ? 'imported' : 'unchanged';
  });
  const fresh = taken.flatMap(({ line, card }) => (card === undefined ? [line] : []));
  const drafts = await openCards(transaction, context, { command, lines: fresh });
  const accountIds = [
    ...taken.flatMap(({ card }) => (card === undefined ? [] : [card.accountId])),
    ...drafts.map(({ opening }) => opening.accountId),
  ];
  return {
    outcomes,
    numbers,
    file: tallyOf(taken.map(({ line }) => line)),
    ledger: await selectTally(transaction, payeeId, accountIds),
  };

  function nameOf(line: CardLine): Named {
    const digests = digestsOfNumber(context.keyRing, live, { payeeId, number: line.number });
    return { line, names: digests.map((digest) => digest.toString('hex')) };
  }
}

async function readLines(
  transaction: Transaction,
  { payeeId, productId, lines }: ImportCards,
): Promise<readonly (CardLine | Rejection)[]> {
  const products = (await selectProducts(transaction, payeeId)).rows;
  const byId = new Map<string, (typeof products)[number]>(products.map((product) => [product.productId, product]));
  const usual = productId === undefined ? products.find(({ isDefault }) => isDefault) : byId.get(productId);
  return lines.map((line) => readCardLine(line, line.productId === undefined ? usual : byId.get(line.productId)));
}

/** Opens the cards that are new, each with what it holds. */
async function openCards(
  transaction: Transaction,
  context: Kontor,
  { command, lines }: { readonly command: ImportCards; readonly lines: readonly CardLine[] },
): Promise<readonly CardDraft[]> {
  if (lines.length === 0) return [];
  const { payeeId, actor, file } = command;
  const ends = await selectDayEnds(transaction, payeeId, [...new Set(lines.map(({ expiresOn }) => expiresOn))]);
  const drafts = lines.map(({ product, number, expiresOn, contact }) => {
    const expiresAt = ends.get(expiresOn);
    assert(expiresAt !== undefined, 'every day ends');
    const onSale = { ...product, cardExpiresOn: expiresOn, cardExpiresAt: expiresAt };
    return makeCard(context, onSale, contact, { number, expiresOn, expiresAt }).draft;
  });
  await openAccounts(
    transaction,
    { ...ACCOUNT_PAYMENTS, writers: GIFT_CARD_WRITERS, newId: context.newId },
    {
      cause: { payeeId, actor },
      paymentNumbers: command.paymentNumbers.slice(0, lines.length),
      effect(place, { now, paymentNumber }) {
        const [line, draft] = [lines[place], drafts[place]];
        assert(line !== undefined && draft !== undefined, 'there is a draft for each line');
        const deposit = firstDeposit(context, draft, { amount: line.balance, paymentNumber });
        const { accountId } = draft.opening;
        return {
          ...issueCard({ draft, deposit, now, event: 'gift-card.imported', file }).effect,
          action: 'import-gift-card',
          ...(line.isBlocked && { accountChanges: [{ accountId, blockedAt: now, blockedUntil: null }] }),
        };
      },
    },
  );
  return drafts;
}
