import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { codesOf, PERSONAL_DATA as PAGE, personalColumns, personalRows, rowsOf } from './judged-columns.ts';
import { readPage } from './pages.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Every column that a page judges, as `table.column`. */
function judgedBy(page: string): string[] {
  const others = rowsOf(page, 2).flatMap(([table, columns]) =>
    codesOf(columns).map((column) => `${codesOf(table)[0]}.${column}`),
  );
  return [...personalColumns(page), ...others];
}

async function columns(): Promise<string[]> {
  const rows = await database.asAdmin(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
  );
  return rows.map(({ name }) => String(name));
}

/** What of the schema a page does not judge, judges twice, or judges though it is gone. */
async function misjudged(page: string) {
  const judged = judgedBy(page);
  const there = await columns();
  return {
    missing: there.filter((name) => !judged.includes(name)),
    gone: judged.filter((name) => !there.includes(name)),
    twice: judged.filter((name, index) => judged.indexOf(name) !== index),
  };
}

test('every column is judged once: what tells of a person says what for, until when, and who else gets it', async () => {
  const page = readPage(PAGE);
  expect((await columns()).length).toBeGreaterThan(500);
  expect(await misjudged(page), `each new column stands in ${PAGE}: in the first table, or in the second one`).toEqual({
    missing: [],
    gone: [],
    twice: [],
  });
  expect(personalRows(page).filter((row) => row.includes(''))).toEqual([]);
});

test('a column that is new, gone or judged twice is found', async () => {
  await database.asAdmin('alter table payee add column birthday date');
  try {
    const wrong = `${readPage(PAGE)}\n| \`payee\` | \`name\` \`shoe_size\` |\n`;
    expect(await misjudged(wrong)).toEqual({
      missing: ['payee.birthday'],
      gone: ['payee.shoe_size'],
      twice: ['payee.name'],
    });
  } finally {
    await database.asAdmin('alter table payee drop column birthday');
  }
});

test('what is sealed tells of a person, or is a secret', () => {
  const page = readPage(PAGE);
  const others = rowsOf(page, 2).flatMap(([table, list]) =>
    codesOf(list).map((column) => `${codesOf(table)[0]}.${column}`),
  );
  expect(others.filter((name) => /sealed$/.test(name)).sort()).toEqual([
    'hmac_key.secret_sealed',
    'signing_secret.sealed',
  ]);
});
