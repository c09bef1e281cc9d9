import type { Transaction } from '../../../db/transaction.types.ts';
import type { KeyRing } from '../../../keys/keys.types.ts';
import { isUuid, type PayeeId } from '../../../kit/ids.ts';
import type { Lines, Rows } from '../../../kit/imports/import.types.ts';
import { Secret } from '../../../kit/secret.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import { findAccountByNumber } from '../../../ledger/accounts/account-number.ts';

/** What a line names a card by: the id of its account, or its number. */
interface NamedInFile {
  readonly line: number;
  readonly accountId: string | undefined;
  readonly number: string | undefined;
}

/** Bytes of a line of a file: a batch of 500 cards that is sealed to a printer has some 150 000. */
export const CARD_FILE_LINE_BYTES = 1_000_000;

/** A file of cards, as it is read. */
export interface OpenList {
  readonly lines: () => Lines;
  readonly rows: () => Rows;
  readonly isTable: boolean;
}

/**
 * The accounts of the cards that a file names, as `gift-cards issue` writes one, in the clear or sealed, or `gift-cards import` takes one.
 *
 * @throws Trouble where a line names no card of the payee
 */
export async function cardsOfFile(
  transaction: Transaction,
  keyRing: KeyRing,
  { payeeId, list }: { readonly payeeId: PayeeId; readonly list: OpenList },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { line, accountId, number } of list.isTable
    ? namedInRows(list.rows())
    : namedInLines(list.lines())) {
    if (accountId !== undefined && isUuid(accountId)) found.add(accountId.toLowerCase());
    else if (number !== undefined && /^[0-9]{12,19}$/.test(number)) {
      const account = await findAccountByNumber(transaction, keyRing, { payeeId, number: new Secret(number) });
      if (account === undefined) throw new Trouble(`Line ${line} names no card of this payee. Nothing was done.`);
      found.add(account.accountId);
    } else throw new Trouble(`Line ${line} has neither paymentAccountId nor accountKey. Nothing was done.`);
  }
  return found;
}

async function* namedInLines(lines: Lines): AsyncGenerator<NamedInFile> {
  let line = 0;
  for await (const some of lines) {
    for (const text of some) {
      line += 1;
      if (text?.length === 0) continue;
      const { paymentAccountId, accountKey: number, accounts = [paymentAccountId] } = membersOf(text);
      for (const accountId of accounts) yield { line, accountId, number };
    }
  }
}

interface Members {
  readonly paymentAccountId?: string;
  readonly accountKey?: string;
  /** Of a batch that is sealed to a printer: the accounts of its cards. */
  readonly accounts?: readonly string[];
}

function membersOf(text: Buffer | undefined): Members {
  try {
    const read: unknown = JSON.parse(text?.toString() ?? '');
    const { paymentAccountId, accountKey, accounts } = (read ?? {}) as Record<string, unknown>;
    return {
      ...(Array.isArray(accounts) && accounts.length > 0 && { accounts: accounts.map(String) }),
      ...(typeof paymentAccountId === 'string' && { paymentAccountId }),
      ...(typeof accountKey === 'string' && { accountKey }),
    };
  } catch {
    return {};
  }
}

async function* namedInRows(rows: Rows): AsyncGenerator<NamedInFile> {
  let places: { readonly account: number; readonly number: number } | undefined;
  for await (const some of rows) {
    for (const { number: line, cells } of some) {
      if (places === undefined) {
        places = { account: cells.indexOf('paymentAccountId'), number: cells.indexOf('accountKey') };
        continue;
      }
      yield { line, accountId: cells[places.account], number: cells[places.number] };
    }
  }
}
