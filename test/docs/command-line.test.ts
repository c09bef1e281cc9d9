import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { kontorProgram } from '../../src/program.ts';
import { listPages, readPage } from './pages.ts';

interface CommandHelp {
  /** As in `kontor tokens import`. */
  readonly name: string;
  readonly options: readonly string[];
}

const commands = leavesOf(await kontorProgram([], () => undefined));

/** The commands below one that have none below themselves, as help tells them. To ask processes would take a minute. */
function leavesOf(command: Command, path: readonly string[] = []): CommandHelp[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((known) => known.name() !== 'help');
  const name = [...path, command.name()];
  if (below.length > 0) return below.flatMap((known) => leavesOf(known, name));
  return [{ name: name.join(' '), options: help.visibleOptions(command).flatMap(({ long }) => long ?? []) }];
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
  // They run until they are stopped, and print what they do meanwhile.
  expect(without).toEqual(['kontor serve', 'kontor acquirers simulate', 'kontor three-ds simulate']);
});

test('a first word brings the commands that begin with it, and what is about the installation', async () => {
  const words = new Set(commands.map(({ name }) => name.split(' ')[1] ?? ''));
  const always = ['serve', 'migrate', 'sandbox', 'doctor', 'openapi'];
  for (const word of words) {
    const there = leavesOf(await kontorProgram([word], () => undefined));
    const expected = commands.filter(({ name }) => [word, ...always].includes(name.split(' ')[1] ?? ''));
    expect(there, word).toEqual(expected);
  }
});
