import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { ACQUIRER_FILES } from '../../issuers/acquirers/acquirer-files.adapter.ts';
import type { AcquirersSetup } from '../../issuers/acquirers/acquirers.types.ts';
import { checkCutOvers, checkKeptCards, checkSecretFiles } from '../../issuers/acquirers/check-acquirers.ts';
import { type Finding, showFindings } from '../../kit/findings.ts';
import { formatTable } from '../../kit/table.ts';
import { acquirersOf, readAcquirers } from '../acquirers.ts';
import { waitFindings } from '../time-limits.ts';
import { probe } from './acquirer-checks.ts';

type Print = (text: string) => void;

interface Json {
  readonly json?: true;
}

/** Adds `acquirers list`, `check` and `echo`, which need no database. */
export function acquirerCommands(acquirers: Command, print: Print): void {
  acquirers
    .command('list')
    .description('show the acquirers, and the agreements of payees with them')
    .option('--json', 'print {"acquirers", "agreements"}')
    .action(({ json }: Json) => list(acquirersOf(readConfig()), json === true, print));
  acquirers
    .command('check')
    .description('look at a file of acquirers, and at the certificates and keys that it names; it connects to none')
    .argument('<file>', 'as KONTOR_ACQUIRERS_FILE would name it')
    .option('--json', 'print an array of {"level", "text"}')
    .action((file: string, { json }: Json) => showFindings(checkFile(file), { json: json === true, print }));
  acquirers
    .command('echo')
    .description('connect to an acquirer, sign on, ask for an echo, and sign off')
    .argument('<id>', 'as the list has it')
    .option('--json', 'print an array of {"level", "text"}')
    .action(async (id: string, { json }: Json) => {
      showFindings(await probe(acquirersOf(readConfig()), id), { json: json === true, print });
    });
}

function list({ acquirers, agreements }: AcquirersSetup, json: boolean, print: Print): void {
  const hosts = acquirers.map(({ id, name, host, port, otherSites, connections, tls }) => {
    return { id, name, host, port, otherSites, connections, isSecure: tls !== 'none' };
  });
  if (json) {
    print(JSON.stringify({ acquirers: hosts, agreements }));
    return;
  }
  print(
    formatTable(
      ['acquirer', 'name', 'host', 'connections', 'TLS'],
      hosts.map(({ id, name, host, port, otherSites, connections, isSecure }) => {
        const places = [{ host, port }, ...otherSites].map((site) => `${site.host}:${site.port}`);
        return [id, name, places.join(' '), String(connections), isSecure ? 'yes' : 'none'];
      }),
    ),
  );
  if (agreements.length === 0) return;
  print(
    formatTable(
      ['agreement', 'payee', 'acquirer', 'merchant number', 'currencies', 'brands', 'state'],
      agreements.map(({ id, payeeId, acquirer, merchantId, currencies, brands, closed }) => {
        return [id, payeeId, acquirer, merchantId, currencies.join(' '), brands.join(' '), closed ? 'closed' : 'open'];
      }),
    ),
  );
}

function checkFile(file: string): readonly Finding[] {
  const setup = readAcquirers({ path: resolve(file), isNamed: true });
  if (setup === undefined) return [];
  const { acquirers, agreements } = setup;
  const read = `The file can be used. Acquirers: ${acquirers.length}; agreements: ${agreements.length}.`;
  return [
    { level: 'ok', text: read },
    ...checkSecretFiles(setup, ACQUIRER_FILES, new Date()),
    ...checkKeptCards(setup),
    ...checkCutOvers(setup, new Date()),
    ...waitFindings(setup),
  ];
}
