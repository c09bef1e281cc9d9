#!/usr/bin/env node
import { CommanderError } from 'commander';
import { Refusal } from './kit/errors.ts';
import { Trouble } from './kit/work/trouble.ts';
import { kontorProgram } from './program.ts';

// The reader of the output may have had enough of it (`kontor … | head`), or its disk is full: no reason to end
// half-way.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  const program = await kontorProgram(process.argv.slice(2), (status) => process.exit(status));
  await program.parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : fail(error);
}

/** What the operator can put right is said in words; everything else is a bug of ours and shows where it happened. */
function fail(error: unknown): number {
  process.stderr.write(`kontor: ${describe(error)}\n`);
  return 1;
}

function describe(error: unknown): string {
  if (error instanceof Trouble) return error.message;
  if (error instanceof Refusal) return describeRefusal(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** On the command line there is no body that could list the problems: they are the message. */
function describeRefusal({ code, detail, problems }: Refusal): string {
  if (problems.length === 0) return detail;
  // What is wrong with a member goes on where its name ends; why an operation is impossible is a sentence of its own.
  const link = code === 'inputerror' ? ' ' : ': ';
  return problems.map(({ name, description }) => `${name}${link}${description}`).join('\n');
}
