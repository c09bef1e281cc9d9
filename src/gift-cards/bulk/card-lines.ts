import { csvLine } from '../../kit/csv.ts';
import { Secret } from '../../kit/secret.ts';
import type { CardFormat, CardToSell } from './bulk.types.ts';

/** What is read of a line that an earlier run has written. */
export interface WrittenCard {
  readonly accountId: string;
  readonly balance: number;
  readonly currency: string;
  /** Undefined where the file is sealed to a printer. */
  readonly shown?: { readonly number: Secret; readonly cvc: Secret; readonly expiresOn: string };
}

/** A file as an earlier run has left it. */
export interface WrittenCards {
  readonly cards: readonly WrittenCard[];
  /** Bytes up to the end of the heading and of each card; undefined within a sealed batch. */
  readonly ends: readonly (number | undefined)[];
}

const COLUMNS = ['accountKey', 'cvc', 'expiryDate', 'balance', 'currency', 'paymentAccountId', 'paymentId'];
const ROW = /^([0-9]{16,19}),([0-9]{3}),(\d{4}-\d\d-\d\d),([0-9]{1,12}),([A-Z]{3}),([0-9a-f-]{36}),[0-9]+$/;
const OBJECT =
  /^\{"accountKey":"([0-9]{16,19})","cvc":"([0-9]{3})","expiryDate":"(\d{4}-\d\d-\d\d)","balance":([0-9]{1,12}),"currency":"([A-Z]{3})","paymentAccountId":"([0-9a-f-]{36})","paymentId":[0-9]+\}$/;

/** What stands before the cards. */
export function cardHeading(format: CardFormat): string {
  return format === 'csv' ? csvLine(COLUMNS) : '';
}

/** Cards as lines of a file. No value needs quotes: they are digits, dates, ids. */
export function cardLines(format: CardFormat, cards: readonly CardToSell[]): Secret {
  return new Secret(cards.map(format === 'csv' ? row : object).join(''));
}

function row({ number, cvc, expiresOn, balance, currency, accountId, paymentNumber }: CardToSell): string {
  return csvLine([number.reveal(), cvc.reveal(), expiresOn, balance, currency, accountId, paymentNumber]);
}

function object({ number, cvc, expiresOn, balance, currency, accountId, paymentNumber }: CardToSell): string {
  const members = {
    accountKey: number.reveal(),
    cvc: cvc.reveal(),
    expiryDate: expiresOn,
    balance,
    currency,
    paymentAccountId: accountId,
    paymentId: paymentNumber,
  };
  return `${JSON.stringify(members)}\n`;
}

/**
 * Reads what an earlier run has written. A last line without its end was being written when the run was cut off.
 *
 * @returns undefined where the file is something else
 */
export function readCards(format: CardFormat, content: Secret): WrittenCards | undefined {
  const heading = cardHeading(format);
  const text = content.reveal();
  // A heading that is not whole: the run ended before its first card.
  if (heading.startsWith(text)) return { cards: [], ends: [0] };
  if (!text.startsWith(heading)) return undefined;
  const lines = text.slice(heading.length).split('\n').slice(0, -1);
  const cards: WrittenCard[] = [];
  const ends = [heading.length];
  for (const line of lines) {
    const card = readCard(format, line);
    if (card === undefined) return undefined;
    cards.push(card);
    ends.push((ends.at(-1) ?? 0) + line.length + 1);
  }
  return { cards, ends };
}

function readCard(format: CardFormat, line: string): WrittenCard | undefined {
  const parts = (format === 'csv' ? ROW : OBJECT).exec(line);
  if (parts === null) return undefined;
  const [, number = '', cvc = '', expiresOn = '', balance = '', currency = '', accountId = ''] = parts;
  return {
    shown: { number: new Secret(number), cvc: new Secret(cvc), expiresOn },
    balance: Number(balance),
    currency,
    accountId,
  };
}
