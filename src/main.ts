#!/usr/bin/env node
import { forgetPostgresVariables } from './config.ts';
import { runKontor } from './program.ts';

forgetPostgresVariables();

// The reader of the output may have had enough of it (`kontor … | head`), or its disk is full: no reason to end
// half-way.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const status = await runKontor(process.argv.slice(2), (code) => process.exit(code));
if (status !== undefined) process.exitCode = status;
