import { describe, expect, test } from 'vitest';
import { projectFiles, serviceSources } from './files.ts';
import {
  bannedWords,
  daysOfUtc,
  falseReads,
  lineCount,
  lonelyLimits,
  longFiles,
  misplacedSql,
  otherClocks,
  repeatedStatements,
  sharedTables,
  silentMigrations,
  undocumented,
  unexplained,
  vagueWords,
} from './style-rules.ts';

describe('the sources', () => {
  test('hold one thing a file: none is over 400 lines', () => {
    expect(longFiles(projectFiles())).toEqual([]);
  });

  test('are worth opening, and small: half of those of the service have more than 60 to 120 lines', () => {
    const counts = serviceSources()
      .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
      .map(({ text }) => lineCount(text))
      .sort((a, b) => a - b);
    const median = counts[Math.floor(counts.length / 2)];
    expect(median, 'a file that has one user lives with it').toBeGreaterThanOrEqual(60);
    expect(median, 'a file holds one thing').toBeLessThanOrEqual(120);
  });

  test('use no word that is banned where they stand', () => {
    expect(serviceSources().flatMap(bannedWords)).toEqual([]);
  });

  test('say who does what', () => {
    const ours = projectFiles();
    // The rule's own test has what the rule finds.
    const isProse = (path: string) => /\.(tsx?|mjs)$/.test(path) && !/\.generated\.ts$|style\.test\.ts$/.test(path);
    expect(ours.filter(({ path }) => isProse(path)).flatMap(vagueWords)).toEqual([]);
  });

  test('take the time in tests from the clock of the service', () => {
    const isTest = (path: string) => /^test\/.*\.ts$|\.test\.ts$/.test(path) && !path.startsWith('test/tidy/');
    expect(
      projectFiles()
        .filter(({ path }) => isTest(path))
        .flatMap(otherClocks),
    ).toEqual([]);
  });

  test('say whose day they mean', () => {
    const isCode = (path: string) => /^(src|test)\/.*\.ts$/.test(path) && !path.startsWith('test/tidy/');
    expect(
      projectFiles()
        .filter(({ path }) => isCode(path))
        .flatMap(daysOfUtc),
    ).toEqual([]);
  });

  test('explain each statement that background work takes its rows by', () => {
    const tests = projectFiles().filter(({ path }) => /^test\/.*\.test\.ts$/.test(path));
    expect(unexplained(serviceSources(), tests)).toEqual([]);
  });

  test('keep a limit in the file that it bounds, unless several share it', () => {
    expect(lonelyLimits(serviceSources())).toEqual([]);
  });

  test('keep SQL in the stores and in db/', () => {
    expect(serviceSources().flatMap(misplacedSql)).toEqual([]);
  });

  test('write each table from one folder', () => {
    expect(sharedTables(serviceSources())).toEqual([]);
  });

  test('call a read what changes and locks nothing', () => {
    expect(falseReads(serviceSources())).toEqual([]);
  });

  test('name each statement once', () => {
    expect(repeatedStatements(serviceSources())).toEqual([]);
  });

  test('say what each exported function, class and constant is', () => {
    expect(serviceSources().flatMap(undocumented)).toEqual([]);
  });

  test('begin each migration with its reason', () => {
    expect(silentMigrations(projectFiles('migrations').filter(({ path }) => path.endsWith('.sql')))).toEqual([]);
  });
});

const long = (lines: number, line = '  step();\n') => line.repeat(lines);

describe('each rule', () => {
  test('flags a long file, unless it is not read from top to bottom', () => {
    const text = long(401);
    expect(longFiles([{ path: 'src/kit/money.ts', text }])).toHaveLength(1);
    expect(longFiles([{ path: 'src/kit/money.ts', text: long(400) }])).toEqual([]);
    expect(longFiles([{ path: 'openapi/kontor.json', text }])).toEqual([]);
  });

  test.each([
    ['src/wiring/server.ts', 'process.exit(1);'],
    ['src/kit/ids.ts', 'Math.random();'],
    ['src/kit/addresses/address.ts', "URL.canParse('a');"],
    ['src/db/reading/flight.ts', 'new Function(text);'],
    ['src/db/reading/flight.ts', 'new globalThis.Function(text);'],
    ['src/db/reading/flight.ts', 'eval(text);'],
    ['src/db/reading/flight.ts', 'Function(text);'],
    ['src/db/reading/flight.ts', 'vm.compileFunction(text);'],
    ['src/tokens/tokens.rules.ts', 'new Date();'],
    ['src/tokens/tokens.rules.ts', 'Date.now();'],
    ['src/tokens/tokens.rules.ts', 'async function decide() {}'],
    ['src/tokens/tokens.rules.ts', 'crypto.randomUUID();'],
    ['src/tokens/archive-token.ts', 'await context.database.transact(work);'],
    ['src/settlements/resolve-difference.ts', 'const { longWork } = context.database;'],
  ])('flags a banned word: %s %s', (path, text) => {
    expect(bannedWords({ path, text })).toHaveLength(1);
  });

  test.each([
    ['src/main.ts', 'process.exit(1);'],
    ['src/tokens/archive-token.ts', 'Date.now();'],
    ['src/tokens/pay.flow.ts', 'await context.database.transact(work);'],
    ['src/tokens/compose.ts', 'const { transact } = kontor.database;'],
    ['src/tokens/tokens.rules.ts', '// The Date is given.\nconst expiryDate: ExpiryDate = "Date";'],
  ])('lets a word be where it belongs: %s %s', (path, text) => {
    expect(bannedWords({ path, text })).toEqual([]);
  });

  test.each([
    ['src/tokens/archive-token.ts', "run('update token set state = $1');"],
    ['src/tokens/archive-token.ts', 'run(`\n    select name\n    from token`);'],
    ['src/tokens/tokens.store.ts', "run('begin');"],
    ['src/tokens/tokens.job.ts', "run('COMMIT');"],
    ['src/tokens/tokens.store.ts', "run('SELECT name FROM token');"],
    ['src/tokens/tokens.store.ts', "run('insert into token select 1 FROM other');"],
    ['src/wiring/server.ts', "run('with recent as (select 1) select 2');"],
  ])('flags misplaced or shouting SQL: %s %s', (path, text) => {
    expect(misplacedSql({ path, text })).toHaveLength(1);
  });

  test.each([
    ['src/tokens/tokens.store.ts', "run('delete from token where payee_id = $1');"],
    ['src/db/transact.ts', "run('begin'); run('select 1');"],
    ['src/tokens/archive-token.ts', "throw new Error('Select a token, or begin again.');"],
    ['src/tokens/tokens.cli.ts', "option('update the name with this value').action('commit the change');"],
  ])('lets SQL be where it belongs: %s %s', (path, text) => {
    expect(misplacedSql({ path, text })).toEqual([]);
  });

  test.each([
    ['// Nobody else may.', 1],
    ['/** For whoever asks, or somebody else. */', 2],
    ["throw new Error('Anybody can, and everybody does.');", 2],
    ["const users = ['postgres', 'nobody']; // or the user nobody", 0],
    ['const noBody = body.length === 0;', 0],
  ])('flags words that do not say who: %s', (text, times) => {
    expect(vagueWords({ path: 'a.ts', text })).toHaveLength(times);
  });

  test.each([
    ['insert into attempt (due_at) values (now())', 1],
    ['insert into item (day) values (current_date)', 1],
    ["where due_at < kontor_now() and Date.now() > 0 and { now: () => 'x' }", 0],
  ])('flags a time of another clock: %s', (text, times) => {
    expect(otherClocks({ path: 'a.test.ts', text })).toHaveLength(times);
  });

  test.each([
    ['where respond_by < kontor_now()::date + 3 or day = current_date', 2],
    ['const today = new Date().toISOString().slice(0, 10);', 1],
    ['where respond_by < (kontor_now() at time zone time_zone)::date + 3', 0],
  ])('flags a day of no zone: %s', (text, times) => {
    expect(daysOfUtc({ path: 'src/a.ts', text })).toHaveLength(times);
  });

  test('flags a statement of a job whose plan no test looks at', () => {
    const text = `export function selectDue(run) {\n  return run(\`\${isFreeFor('keep-calls', 'a', 'b')}\`);\n}\n`;
    const store = { path: 'src/a.store.ts', text };
    const looks = { path: 'test/a.test.ts', text: "import '../support/database/explain.ts';\nselectDue(run);" };
    expect(unexplained([store], [looks])).toEqual([]);
    expect(unexplained([store], [{ ...looks, text: 'selectDue(run);' }])).toHaveLength(1);
  });

  test('flags a limit that one file uses alone', () => {
    const limits = {
      path: 'src/kit/limits.ts',
      text: '/** Rows. */\nexport const ROWS = 5;\nexport const MORE = 6;\n',
    };
    const user = (path: string, name: string) => ({ path, text: `slice(0, ${name});` });
    expect(lonelyLimits([limits, user('src/a.ts', 'ROWS')])).toHaveLength(1);
    expect(lonelyLimits([limits, user('src/a.ts', 'ROWS'), user('src/b.ts', 'MORE')])).toEqual([]);
    expect(lonelyLimits([limits])).toEqual([]);
  });

  test('flags a table that two folders write', () => {
    const writes = (path: string, statement: string) => ({ path, text: `run('${statement}');` });
    const owner = writes(
      'src/tokens/tokens.store.ts',
      'insert into token (name) values ($1) on conflict do update set name = $1',
    );
    expect(sharedTables([owner, writes('src/vault/vault.store.ts', 'update token set name = $1')])).toHaveLength(1);
    expect(
      sharedTables([owner, writes('src/vault/vault.store.ts', 'select name from token for update of token')]),
    ).toEqual([]);
  });

  test.each([
    ["export function selectToken() { run('select name from token for update'); }"],
    ["export const FIND_TOKENS = { text: 'select 1 from token for no key update' };"],
    ["const TEXT = 'delete from token';\nexport function countTokens() { run(TEXT); }"],
  ])('flags a read that changes or locks: %s', (text) => {
    expect(falseReads([{ path: 'src/tokens/tokens.store.ts', text }])).toHaveLength(1);
  });

  test.each([
    [
      "export function selectToken() { run('select name from token'); }\nexport function deleteToken() { run('delete from token'); }",
    ],
    ["export function lockToken() { run('select name from token for update'); }"],
  ])('lets a read be one: %s', (text) => {
    expect(falseReads([{ path: 'src/tokens/tokens.store.ts', text }])).toEqual([]);
  });

  test.each([
    ['export function a() {}'],
    ['export class A {}'],
    ['export const A = 1;'],
    ['export async function a() {}'],
  ])('flags what says nothing about itself: %s', (text) => {
    expect(undocumented({ path: 'a.ts', text: `const b = 1;\n${text}\n` })).toHaveLength(1);
    expect(undocumented({ path: 'a.ts', text: `/** Why. */\n${text}\n` })).toEqual([]);
    expect(undocumented({ path: 'a.ts', text: `/** Why. */\nexport const b = 1;\n${text}\n` })).toEqual([]);
    expect(undocumented({ path: 'a.ts', text: `/** Why. */\nexport const b = 1;\n\n${text}\n` })).toHaveLength(1);
  });

  test('flags a migration without a reason', () => {
    expect(silentMigrations([{ path: 'a.sql', text: 'create table a ();\n' }])).toHaveLength(1);
    expect(silentMigrations([{ path: 'a.sql', text: '-- no transaction\ncreate index …' }])).toHaveLength(1);
    expect(silentMigrations([{ path: 'a.sql', text: '-- no transaction\n-- Finds tokens by …\n' }])).toEqual([]);
    expect(silentMigrations([{ path: 'a.sql', text: '-- Holds tokens.\n' }])).toEqual([]);
  });
});
