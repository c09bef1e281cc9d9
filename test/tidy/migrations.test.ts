import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFiles, ROOT } from './files.ts';
import { allowedIn, stopsOf } from './migration-rules.ts';

const ALONE = '-- no transaction\n';

/** The last migration that was merged before there were these rules: a merged one is never changed. */
const BEFORE_THE_RULES = 70;

const numberOf = ({ path }: { readonly path: string }) => Number(/(\d{6})-[^/]*$/.exec(path)?.[1]);

describe('a migration', () => {
  const migrations = projectFiles('migrations');

  test('keeps no payment waiting', () => {
    expect(migrations.length).toBeGreaterThan(30);
    expect(migrations.filter((one) => numberOf(one) > BEFORE_THE_RULES).flatMap(stopsOf)).toEqual([]);
  });

  test('that does is in the table of docs/operating/upgrade.md', () => {
    const stopping = migrations.filter((one) => stopsOf(one).length > 0 || allowedIn(one.text).length > 0);
    const rows = readFileSync(join(ROOT, 'docs/operating/upgrade.md'), 'utf8').matchAll(/^\| (\d+) \|/gm);
    expect([...rows].map(([, number]) => Number(number))).toEqual(stopping.map(numberOf));
  });

  test.each([
    ['create index a_by_b on a (b);', 'create index concurrently'],
    ['create unique index if not exists a_by_b on a (b);', 'create index concurrently'],
    ['drop index a_by_b;', 'drop index concurrently'],
    ['alter table a add constraint b_is_small check (b < 9);', 'not valid'],
    ['alter table a add constraint b_exists foreign key (b) references b;', 'not valid'],
    ['alter table a add constraint b_is_one unique (b);', 'using index'],
    ['alter table a alter column b type bigint;', 'add a column'],
    ['alter table a alter b set not null;', 'add a check'],
    ['update a set b = 1;', 'background work'],
    ['lock table a;', 'take no lock'],
    ['alter table a add column c text; alter table b add column c text;', 'one table a file'],
    [
      'alter table a add constraint c check (b > 0) not valid; alter table a validate constraint c;',
      'without a transaction',
    ],
    [
      `${ALONE}drop index concurrently if exists a_by_c; drop index concurrently a_by_b; create index concurrently a_by_c on a (c);`,
      'create first',
    ],
    [`${ALONE}create index concurrently a_by_c on a (c);`, 'leaves it invalid'],
  ])('is found where it does: %s', (text, word) => {
    expect(stopsOf({ path: 'migrations/000999-planted.sql', text })).toEqual([expect.stringContaining(word)]);
  });

  test.each([
    "create table a (b text); create index a_by_b on a (b); alter table a add constraint c check (b <> '');",
    'alter table a add column c text;\n-- create index a_by_b on a (b);',
    'alter table a add constraint b_is_small check (b < 9) not valid;',
    `${ALONE}alter table a validate constraint b_is_small;`,
    `${ALONE}drop index concurrently if exists a_by_c;\ncreate index concurrently a_by_c on a (c);\ndrop index concurrently a_by_b;`,
    `${ALONE}drop index concurrently if exists a_by_b;\ncreate index concurrently a_by_b on a (b);`,
    '-- stops a: it has a row for each acquirer\nalter table a alter column b type bigint;',
    'create function f() returns trigger language plpgsql as $$ begin update a set b = 1; return new; end $$;',
  ])('may do what keeps none waiting: %s', (text) => {
    expect(stopsOf({ path: 'migrations/000999-planted.sql', text })).toEqual([]);
  });
});
