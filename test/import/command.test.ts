import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { productionService } from '../support/prober/routes-production.ts';
import { builtCommand, importFile, kontor, run, settingsOf } from '../support/shop/tokens-command.ts';
import { accountLine, cardLine, fileOf } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
let settings: Readonly<Record<string, string>>;
let folder: string;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());
beforeEach(async () => {
  folder = await mkdtemp('/tmp/kontor-import-');
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (lines: readonly object[], name = 'tokens.ndjson') => {
  const path = join(folder, name);
  await writeFile(path, fileOf(lines));
  return path;
};

describe('what it prints', () => {
  it('is a sentence with the counts, and where the refused lines are', async () => {
    const good = cardLine(0, { payerReference: 'words' });
    const clear = await write([good]);
    const clean = await kontor(['tokens', 'import', clear], settings);
    const left = (file: string, exposure = ' Others than its owner can read it.') =>
      `${file} holds card numbers in the clear.${exposure} Destroy it once you need it no more: shred -u ${file}\n`;
    const counts = '1 lines: 1 imported, 0 unchanged, 0 refused.\n';
    expect(clean).toEqual({ code: 0, stdout: `${counts}${left(clear)}`, stderr: '' });
    await chmod(clear, 0o600);
    const owned = await kontor(['tokens', 'import', clear], settings);
    expect(owned.stdout).toBe(`1 lines: 0 imported, 1 unchanged, 0 refused.\n${left(clear, '')}`);
    const path = await write([good, {}]);
    const refused = await kontor(['tokens', 'import', path], settings);
    expect(refused.code).toBe(1);
    const next = `${path}.rejected has the number and the reason of each refused line. Correct these lines in ${path} and run the same command again: what is imported is not imported twice.\n`;
    expect(refused.stdout).toBe(`2 lines: 0 imported, 1 unchanged, 1 refused.\n${next}${left(path, '')}`);
    expect(refused.stderr).toBe(`kontor: 1 of 2 lines were refused. ${next}`);
  });

  it('comes with status 0 where refused lines are allowed', async () => {
    const path = await write([cardLine(0, { payerReference: 'words' }), {}]);
    const { code, stdout, stderr } = await kontor(['tokens', 'import', path, '--allow-refused'], settings);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^2 lines: .*\n.*\.rejected has the number and the reason .*\n.* holds card numbers in the clear\..*\n$/,
    );
  });

  it('is with --json one line of JSON with exactly four counts', async () => {
    const { code, stdout } = await importFile(fileOf([{}]), settings);
    expect(code).toBe(1);
    expect(stdout).toBe('{"lines":1,"imported":0,"unchanged":0,"rejected":1}\n');
  });

  // script(1) makes the terminal; where it is missing this shows as skipped.
  it.skipIf(!existsSync('/usr/bin/script'))('has progress on a terminal only, and clears it', async () => {
    const path = await write([accountLine(0, { payerReference: 'terminal' })]);
    const command = `${process.execPath} ${builtCommand()} tokens import ${path} --json`;
    const onTerminal = await run('script', ['-qec', command, '/dev/null'], settings);
    expect(onTerminal.code).toBe(0);
    const shown = onTerminal.stdout.replaceAll('\r\u001b[K', '<clear>');
    expect(shown).toMatch(/<clear>\[#{24}\] 100 %, 1 lines, 0 refused<clear>\{"lines":1/);
    const piped = await kontor(['tokens', 'import', path, '--json'], settings);
    expect(piped.stderr).toBe('');
    expect(piped.stdout).toMatch(/^\{"lines":1,.*\}\n$/);
  });

  it('explains itself with --help', async () => {
    const { code, stdout } = await kontor(['tokens', 'import', '--help'], {});
    expect(code).toBe(0);
    for (const word of ['<file>', '--payee', '--json', '--format', '--allow-refused', '.rejected'])
      expect(stdout).toContain(word);
  });
});

describe('the file beside', () => {
  it('belongs to its owner alone and replaces the one before', async () => {
    const path = await write([{}, {}]);
    await writeFile(`${path}.rejected`, 'of an earlier run\n', { mode: 0o644 });
    await kontor(['tokens', 'import', path], settings);
    expect((await stat(`${path}.rejected`)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(`${path}.rejected`, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual([1, 2]);
  });
});

describe('what fails', () => {
  it.each([
    ['a file that is not there', ['/nowhere/tokens.ndjson'], '/nowhere/tokens.ndjson cannot be read (ENOENT).'],
    ['a folder', ['/tmp'], '/tmp is a folder'],
    ['a payee that is no id', ['FILE', '--payee', 'nonsense'], '--payee'],
    ['an unknown payee', ['FILE', '--payee', '01890000-0000-7000-8000-000000000000'], 'payee'],
    ['the operator as a payee', ['FILE', '--payee', '00000000-0000-0000-0000-000000000000'], 'payee'],
    ['no file', [], "missing required argument 'file'"],
    ['an unknown option', ['FILE', '--force'], "unknown option '--force'"],
  ])('%s: status above 0, a sentence, nothing imported', async (_, args, sentence) => {
    const path = await write([cardLine(1, { payerReference: 'never' })]);
    const given = args.map((arg) => (arg === 'FILE' ? path : arg));
    const { code, stdout, stderr } = await kontor(['tokens', 'import', ...given], settings);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await shop.list('never')).toEqual([]);
  });
});

describe('--payee', () => {
  it('may be left out while there is one payee, and says whose they become where there are more', async () => {
    const other = await anotherShop(shop);
    const lines = [cardLine(2, { payerReference: 'whose' })];
    const unnamed = await importFile(fileOf(lines), settings);
    expect(unnamed.code).toBe(1);
    expect(unnamed.stderr).toContain('--payee');
    const named = await importFile(fileOf(lines), settings, ['--payee', other.payeeId.toUpperCase()]);
    expect([named.code, named.summary?.imported]).toEqual([0, 1]);
    expect([(await shop.list('whose')).length, (await other.list('whose')).length]).toEqual([0, 1]);
  });
});

describe('in production', () => {
  it('cards outside of the test ranges are taken, and others still need a check digit', async () => {
    const live = await productionService();
    onTestFinished(() => live.stop());
    const { databaseUrl = '', dataDir, keyFile } = live.service.config;
    const production = {
      KONTOR_MODE: 'production',
      KONTOR_DATABASE_URL: databaseUrl,
      KONTOR_DATA_DIR: dataDir,
      KONTOR_KEY_FILE: keyFile,
    };
    // The published example number of a scheme: there is no such card.
    const lines = [
      { ...cardLine(3, { payerReference: 'real' }), pan: `4${'1'.repeat(15)}` },
      { ...cardLine(3, { payerReference: 'real' }), pan: `4${'1'.repeat(14)}2` },
    ];
    const sandbox = await importFile(fileOf(lines), settings, ['--payee', shop.payeeId]);
    expect(sandbox.summary).toMatchObject({ imported: 0, rejected: 2 });
    const { summary, rejected } = await importFile(fileOf(lines), production, [
      '--payee',
      live.payeeId,
      '--as',
      'Anna',
    ]);
    expect(summary).toMatchObject({ imported: 1, rejected: 1 });
    expect(rejected).toEqual([{ line: 2, member: 'pan', reason: expect.stringContaining('Luhn') }]);
    const address = `${live.baseUrl}/online/payer/payees/${live.payeeId}/payers/real/tokens`;
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${live.accessToken}` } });
    const body = (await answer.json()) as { tokens: { tokenlist: { instrumentParameters: object }[] } };
    expect(body.tokens.tokenlist[0]?.instrumentParameters).toMatchObject({ cardBrand: 'Visa', countryCode: '999' });
  });
});
