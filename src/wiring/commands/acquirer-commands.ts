import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ACQUIRER_FILES } from '../../issuers/acquirers/acquirer-files.adapter.ts';
import { checkSecretFiles } from '../../issuers/acquirers/check-acquirers.ts';
import { readAcquirers } from '../acquirers.ts';
import { type Finding, showFindings } from './findings.ts';

type Print = (text: string) => void;

/** Adds `acquirers check`. */
export function acquirerCommands(acquirers: Command, print: Print): void {
  acquirers
    .command('check')
    .description('look at a file of acquirers, and at the certificates and keys that it names; it connects to none')
    .argument('<file>', 'as KONTOR_ACQUIRERS_FILE would name it')
    .option('--json', 'print an array of {"level", "text"}')
    .action((file: string, { json }: { json?: true }) => showFindings(checkFile(file), { json: json === true, print }));
}

function checkFile(file: string): readonly Finding[] {
  const setup = readAcquirers({ path: resolve(file), isNamed: true });
  if (setup === undefined) return [];
  const { acquirers, agreements } = setup;
  const read = `The file can be used. Acquirers: ${acquirers.length}; agreements: ${agreements.length}.`;
  return [{ level: 'ok', text: read }, ...checkSecretFiles(setup, ACQUIRER_FILES, new Date())];
}
