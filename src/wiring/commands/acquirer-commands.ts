import { resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import type { AcquirersSetup } from '../../issuers/acquirers/acquirers.types.ts';
import { ACQUIRER_FILES } from '../../issuers/acquirers/file/acquirer-files.adapter.ts';
import { checkCutOvers, checkKeptCards, checkSecretFiles } from '../../issuers/acquirers/file/check-acquirers.ts';
import { type Command, type CommandRuntime, command, needed } from '../../kit/command.ts';
import { type Finding, showFindings } from '../../kit/findings.ts';
import { formatTable } from '../../kit/table.ts';
import { acquirersOf, readAcquirers } from '../acquirers.ts';
import { waitFindings } from '../time-limits.ts';
import { probe } from './acquirer-checks.ts';

type Runtime = Pick<CommandRuntime<never>, 'print'>;

const list = command({
  name: 'list',
  about: 'show the acquirers, and the agreements of payees with them',
  json: 'print {"acquirers", "agreements"}',
  run: async (_: Runtime) => hostsOf(await acquirersOf(readConfig())),
  show: describe,
});

const check = command({
  name: 'check',
  about: 'look at a file of acquirers, and at the certificates and keys that it names; it connects to none',
  args: ['file'],
  takes: { file: needed('<file>', 'as KONTOR_ACQUIRERS_FILE would name it') },
  json: 'print an array of {"level", "text"}',
  run: ({ print }: Runtime, { file, json }) => showFindings(checkFile(file), { json, print }),
});

const echo = command({
  name: 'echo',
  about: 'connect to an acquirer, sign on, ask for an echo, and sign off',
  args: ['id'],
  takes: { id: needed('<id>', 'as the list has it') },
  json: 'print an array of {"level", "text"}',
  run: async ({ print }: Runtime, { id, json }) =>
    showFindings(await probe(await acquirersOf(readConfig()), id), { json, print }),
});

/** Those of `acquirers …` that need no database. */
export const acquirerCommands: readonly Command<Runtime>[] = [list, check, echo];

function hostsOf({ acquirers, agreements }: AcquirersSetup) {
  const hosts = acquirers.map(({ id, name, host, port, otherSites, connections, tls }) => {
    return { id, name, host, port, otherSites, connections, isSecure: tls !== 'none' };
  });
  return { acquirers: hosts, agreements };
}

function describe({ acquirers, agreements }: ReturnType<typeof hostsOf>): string[] {
  return [
    formatTable(
      ['acquirer', 'name', 'host', 'connections', 'TLS'],
      acquirers.map(({ id, name, host, port, otherSites, connections, isSecure }) => {
        const places = [{ host, port }, ...otherSites].map((site) => `${site.host}:${site.port}`);
        return [id, name, places.join(' '), String(connections), isSecure ? 'yes' : 'none'];
      }),
    ),
    ...(agreements.length === 0 ? [] : [describeAgreements(agreements)]),
  ];
}

function describeAgreements(agreements: AcquirersSetup['agreements']): string {
  return formatTable(
    ['agreement', 'payee', 'acquirer', 'merchant number', 'currencies', 'brands', 'state'],
    agreements.map(({ id, payeeId, acquirer, merchantId, currencies, brands, closed }) => {
      return [id, payeeId, acquirer, merchantId, currencies.join(' '), brands.join(' '), closed ? 'closed' : 'open'];
    }),
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
