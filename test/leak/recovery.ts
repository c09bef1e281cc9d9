import { createHmac, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { Secret } from '../../src/kit/secret.ts';
import { numberIdentity } from '../../src/ledger/accounts/account-number.ts';
import { contentText, identityText } from '../../src/tokens/import/import.rules.ts';
import { TOKEN_TYPES } from '../../src/tokens/tokens.types.ts';
import { identityOf } from '../../src/vault/content.rules.ts';
import type { TestDatabase } from '../support/database/database.ts';

/** What a thief of database and ring has beside both: who the payees and payers are, which stands in the clear. */
export interface Booty {
  readonly database: TestDatabase;
  readonly keyFile: string;
  readonly payeeIds: readonly string[];
  readonly payerReferences: readonly string[];
}

/** Digits in the middle of a number that the thief tries: two, so that a test ends. All others are taken as known. */
const TRIED = 2;
const TRIED_AT = 10;

/** All numbers that pass Luhn and differ from this one in the digits that are tried. */
function candidatesFor(number: string): string[] {
  return Array.from({ length: 10 ** TRIED }, (_, middle) => {
    const digits = String(middle).padStart(TRIED, '0');
    return number.slice(0, TRIED_AT) + digits + number.slice(TRIED_AT + TRIED);
  }).filter(passesLuhn);
}

/** Every text that the code digests a card's number in. */
function textsOf(number: string, payerReferences: readonly string[]): string[] {
  const content = { kind: 'Card', number: new Secret(number) } as const;
  const lines = payerReferences.flatMap((payerReference) =>
    TOKEN_TYPES.map((tokenType) => ({ payerReference, tokenType, instrument: 'CreditCard', content })),
  );
  const whole = {
    displayName: undefined,
    expiryDate: '12/2039',
    networkTokenLastFour: undefined,
    networkTokenExpiryDate: undefined,
    schemeTransactionId: undefined,
    token: undefined,
    archived: undefined,
  };
  const secrets = [
    numberIdentity(new Secret(number)),
    identityOf(content),
    ...lines.flatMap((line) => [identityText(line), contentText({ ...line, ...whole })]),
  ];
  return [
    number,
    `card ${number}`,
    `guess card ${number}`,
    ...payerReferences.map((payer) => `guess payer ${payer} ${number}`),
    ...secrets.map((secret) => secret.reveal()),
  ];
}

/** Every value of 32 bytes in any column, in hexadecimal, with where it stands: as bytes, or in a text or JSON as hexadecimal or Base64. */
async function valuesIn(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const columns = (await database.asAdmin(`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`)) as readonly { table: string; column: string }[];
  const found = new Map<string, string>();
  for (const { table, column } of columns) {
    const rows = (await database.asAdmin(
      `select "${column}"::text as text from "${table}" where "${column}" is not null`,
    )) as readonly { text: string }[];
    for (const { text } of rows) {
      for (const [hex] of text.matchAll(/[0-9a-f]{64}/gi)) found.set(hex.toLowerCase(), `${table}.${column}`);
      for (const [base64] of text.matchAll(/[A-Za-z0-9+/_-]{43}/g)) {
        found.set(Buffer.from(base64, 'base64').toString('hex'), `${table}.${column}`);
      }
    }
  }
  return found;
}

/** The recovery attack: which of these numbers come back from the database and the ring, and from which column. */
export async function recover(booty: Booty, numbers: readonly string[]): Promise<string[]> {
  const { database, keyFile, payeeIds, payerReferences } = booty;
  const values = await valuesIn(database);
  const ring = JSON.parse(await readFile(keyFile, 'utf8')) as { keys: { id: string; material: string }[] };
  const keys = ring.keys.map(({ material }) => Buffer.from(material, 'base64'));
  const recovered = new Set<string>();
  const look = (digest: string, candidate: string) => {
    const place = values.get(digest);
    if (place !== undefined) recovered.add(`${candidate} from ${place}`);
  };
  for (const candidate of new Set(numbers.flatMap(candidatesFor))) {
    for (const text of textsOf(candidate, payerReferences)) {
      look(hash('sha256', text, 'hex'), candidate);
      for (const key of keys) {
        look(createHmac('sha256', key).update(text).digest('hex'), candidate);
        for (const payeeId of payeeIds) {
          look(createHmac('sha256', key).update(`${payeeId}\0${text}`).digest('hex'), candidate);
        }
      }
    }
  }
  return [...recovered].sort();
}
