import { lifeCommands } from '../../../src/gift-cards/cards/life.cli.ts';
import { StepBody } from '../../../src/gift-cards/cards/life.wire.ts';
import type { LifeService } from '../../../src/gift-cards/gift-cards-context.types.ts';
import { refuseProblems, schemaChecker } from '../../../src/http/body/validate.ts';
import { Secret } from '../../../src/kit/secret.ts';
import { whichPayee } from '../../../src/merchants/payees/which-payee.ts';
import { readLines, readTable, stampFile } from '../../../src/wiring/commands/import-file.ts';
import { runCommand, serviceOf } from '../run-command.ts';
import type { TestService } from '../service.ts';

/** Runs `kontor gift-cards` with words, beside a running service. */
export function cardCommand(kontor: TestService) {
  const run = async (words: readonly string[], number = ''): Promise<string> => {
    const { giftCards: context, cardPrefixes } = kontor.service;
    const check = schemaChecker(cardPrefixes)(StepBody);
    const runtime = {
      ...serviceOf<LifeService>({
        context,
        whichPayee,
        checkWords: (asked) => refuseProblems(check(asked)),
      }),
      progress: () => undefined,
      readLines,
      readTable,
      stampFile,
      readNumber: () => Promise.resolve(new Secret(number)),
    };
    return (await runCommand(lifeCommands, runtime, words)).join('\n');
  };
  return {
    /** What it prints. */
    run,
    /** What it prints as JSON. */
    json: async (words: readonly string[], number?: string) => JSON.parse(await run([...words, '--json'], number)),
  };
}
