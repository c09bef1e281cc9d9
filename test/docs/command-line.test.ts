import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { listPages, PROJECT, readPage } from './pages.ts';

interface CommandHelp {
  /** As in `kontor tokens import`. */
  readonly name: string;
  readonly options: readonly string[];
  readonly subcommands: readonly string[];
}

const run = promisify(execFile);
let commands: readonly CommandHelp[];
beforeAll(async () => {
  await run(process.execPath, ['scripts/ensure-built.mjs'], { cwd: PROJECT });
  commands = (await walk([])).filter(({ subcommands }) => subcommands.length === 0);
  // A process for each command.
}, 180_000);

/** A command and those below it, as their help tells them. */
async function walk(path: readonly string[]): Promise<CommandHelp[]> {
  const { stdout } = await run(process.execPath, ['dist/main.js', ...path, '--help'], { cwd: PROJECT });
  const entries = (heading: string) => {
    const section = stdout.split(`${heading}:\n`)[1]?.split('\n\n')[0] ?? '';
    return [...section.matchAll(/^ {2}(\S.*?)(?: {2,}|$)/gm)].map(([, entry = '']) => entry);
  };
  const options = entries('Options').flatMap((entry) => entry.match(/--[a-z-]+/g) ?? []);
  const subcommands = entries('Commands').flatMap((entry) => entry.match(/^[a-z-]+/g) ?? []);
  const own = subcommands.filter((name) => name !== 'help');
  const below: CommandHelp[] = [];
  for (const name of own) below.push(...(await walk([...path, name])));
  return [{ name: ['kontor', ...path].join(' '), options, subcommands: own }, ...below];
}

/** The pages' commands, each with the options in its section. */
function documented(): Map<string, string[]> {
  const pages = listPages().filter((page) => page.startsWith('docs/command-line'));
  const sections = pages.flatMap((page) => readPage(page).split(/^### /m).slice(1));
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split(/^## /m)[0]?.split('\n') ?? [];
      const options = lines.filter((line) => line.startsWith('- ')).flatMap((line) => line.split(': ')[0] ?? '');
      return [heading.replaceAll('`', ''), options.flatMap((option) => option.match(/--[a-z-]+/g) ?? [])];
    }),
  );
}

test('the pages have every command, and no other', () => {
  expect([...documented().keys()].toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

test('the pages have every option of each command, and no other', () => {
  const page = documented();
  for (const { name, options } of commands) {
    const own = options.filter((option) => option !== '--help');
    expect(page.get(name)?.toSorted(), name).toEqual(own.toSorted());
  }
});

test('every command that prints results takes --json', () => {
  const without = commands.filter(({ options }) => !options.includes('--json')).map(({ name }) => name);
  expect(without).toEqual(['kontor serve']);
});
