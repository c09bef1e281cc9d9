import { Command as Commander } from 'commander';
import type { Command, CommandRuntime } from '../../src/kit/command.ts';
import type { SettlementRuntime, SettlementService } from '../../src/settlements/settlements.types.ts';
import { addCommands } from '../../src/wiring/commands/frame.ts';
import { commandServices } from '../../src/wiring/slices.ts';
import type { TestService } from './service.ts';

/**
 * Runs one of some commands in this process.
 *
 * @param runtime what it gets of the machine, but for where it prints
 * @param words its name, and what it is given
 * @returns what it prints, piece by piece, and what the help would print
 */
export async function runCommand<R extends Pick<CommandRuntime<never>, 'print'>>(
  commands: readonly Command<R>[],
  runtime: Omit<R, 'print'>,
  words: readonly string[],
): Promise<string[]> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const group = new Commander('kontor').exitOverride().configureOutput({ writeOut: print, writeErr: print });
  addCommands(group, commands, { ...runtime, print } as R);
  for (const command of group.commands) command.exitOverride().configureOutput({ writeOut: print, writeErr: print });
  await group.parseAsync(words, { from: 'user' });
  return printed;
}

/** A service that is there already, for `runCommand`. */
export function serviceOf<Service>(service: Service): Pick<CommandRuntime<Service>, 'withService'> {
  return { withService: (work) => work(service) };
}

/** What `settlements …`, `disputes …` or a report of the ledger prints, beside a running service, of its own payee. */
export async function runSettlements(
  { service, payeeId }: TestService,
  commands: readonly Command<never>[],
  words: readonly string[],
): Promise<string> {
  const runtime = serviceOf((await commandServices(service).settlements()) as SettlementService);
  const known: readonly Command<SettlementRuntime>[] = commands;
  return (await runCommand(known, runtime, [...words, '--payee', payeeId])).join('\n');
}
