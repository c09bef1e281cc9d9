import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ACQUIRER_FILES } from '../../issuers/acquirers/acquirer-files.adapter.ts';
import type { AcquirersSetup } from '../../issuers/acquirers/acquirers.types.ts';
import { checkSecretFiles } from '../../issuers/acquirers/check-acquirers.ts';
import { loadAcquirers } from '../../issuers/acquirers/load-acquirers.ts';
import { type Finding, showFindings } from './findings.ts';

type Print = (text: string) => void;

/** Reads a file of acquirers: the settings', or another one. */
export function readAcquirers(place: { readonly path: string; readonly isNamed: boolean }): AcquirersSetup | undefined {
  const folder = dirname(place.path);
  return loadAcquirers({ ...place, fileAt: (path) => resolve(folder, path) }, ACQUIRER_FILES);
}

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
