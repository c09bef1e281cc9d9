import { Command } from 'commander';
import { lifeCommands } from '../../src/gift-cards/cards/life.cli.ts';
import { StepBody } from '../../src/gift-cards/cards/life.wire.ts';
import { refuseProblems, schemaChecker } from '../../src/http/body/validate.ts';
import { Secret } from '../../src/kit/secret.ts';
import { whichPayee } from '../../src/merchants/payees/which-payee.ts';
import { readLines, readTable } from '../../src/wiring/commands/import-file.ts';
import type { TestService } from './service.ts';

/** Runs `kontor gift-cards` with words, beside a running service. */
export function cardCommand(kontor: TestService) {
  const run = async (words: readonly string[], number = ''): Promise<string> => {
    const lines: string[] = [];
    const program = new Command('kontor').exitOverride().configureOutput({ writeErr: () => undefined });
    const { database, cardLife, cardPrefixes } = kontor.service;
    const check = schemaChecker(cardPrefixes)(StepBody);
    lifeCommands(program.command('gift-cards'), {
      withService: (work) =>
        work({
          transact: database.transact,
          read: database.read,
          life: cardLife,
          whichPayee,
          checkWords: (asked) => refuseProblems(check(asked)),
        }),
      print: (text) => void lines.push(text),
      progress: () => undefined,
      readLines,
      readTable,
      readNumber: () => Promise.resolve(new Secret(number)),
    });
    await program.parseAsync(['gift-cards', ...words], { from: 'user' });
    return lines.join('\n');
  };
  return {
    /** What it prints. */
    run,
    /** What it prints as JSON. */
    json: async (words: readonly string[], number?: string) => JSON.parse(await run([...words, '--json'], number)),
  };
}
