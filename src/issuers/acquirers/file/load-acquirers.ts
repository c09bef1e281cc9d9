import type { Dialect, FieldName } from '../../../iso8583/dialects/dialect.types.ts';
import { readDialect } from '../../../iso8583/dialects/dialect-file.rules.ts';
import { ISO93 } from '../../../iso8583/dialects/iso93.rules.ts';
import { placeOf } from '../../../iso8583/dialects/places.rules.ts';
import { isSpelled } from '../../../kit/characters.ts';
import { BadJson } from '../../../kit/read-json.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import type { Acquirer, AcquirerFiles, AcquirersSetup, Agreement } from '../acquirers.types.ts';
import { readAcquirersFile } from './acquirers-file.rules.ts';
import type { FileAt } from './acquirers-file-parts.rules.ts';
import { refuseUnwritable } from './longest-messages.rules.ts';

/** Where acquirers are configured. */
export interface AcquirersPlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** Whether the operator has named it: then it must be there. */
  readonly isNamed: boolean;
  /** A path of the document's as an absolute one. */
  readonly fileAt: FileAt;
}

/**
 * Reads `acquirers.json` and the dialects that it names. Certificates and keys are read when lines are opened.
 *
 * @returns undefined where there is no file, and none is named
 * @throws Trouble that names the file and the place in it
 */
export function loadAcquirers(
  { path, isNamed, fileAt }: AcquirersPlace,
  files: Pick<AcquirerFiles, 'text'>,
): AcquirersSetup | undefined {
  const text = files.text(path);
  if (text === undefined && isNamed) throw new Trouble(`There is no file ${path}. See KONTOR_ACQUIRERS_FILE.`);
  if (text === undefined) return undefined;
  const read = saying(path, () => readAcquirersFile(parse(text), fileAt));
  const dialects = new Map(read.acquirers.map((acquirer) => [acquirer.id, writableDialect(acquirer, files)]));
  saying(path, () => refuseMisfits(read.agreements, dialects));
  saying(path, () => refuseUnspoken(read.acquirers, dialects));
  return { ...read, path, dialects };
}

/** A dialect by the name or the path that a file gives it. */
export function loadDialect(dialect: Acquirer['dialect'], files: Pick<AcquirerFiles, 'text'>): Dialect {
  if (dialect === ISO93.name) return ISO93;
  const text = files.text(dialect);
  if (text === undefined) throw new Trouble(`There is no file ${dialect}.`);
  return saying(dialect, () => readDialect(parse(text)));
}

/** Its dialect, in which all that is said to this acquirer can be written. */
function writableDialect(acquirer: Acquirer, files: Pick<AcquirerFiles, 'text'>): Dialect {
  const dialect = loadDialect(acquirer.dialect, files);
  saying(acquirer.dialect, () => refuseUnwritable(dialect, acquirer));
  return dialect;
}

/** What it says of a document begins with the document's path. */
function saying<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadJson) throw new Trouble(`${path}: ${error.message}`);
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadJson('', 'is no JSON');
  }
}

/** Whether nothing was charged where a host says so: what was perhaps charged must not go to another acquirer. */
function isPlainDecline({ requests }: Dialect['actionCodes'], code: string): boolean {
  const group = requests.find(({ codes }) => codes.includes(code));
  return group?.outcome === 'Declined' && group.takeBack !== true;
}

/** What an acquirer is asked for, and its dialect has no message for; a key that it has no use for, or none. */
function refuseUnspoken(acquirers: readonly Acquirer[], dialects: ReadonlyMap<string, Dialect>): void {
  for (const [index, { id, operations, reconciliation, macKey, failoverCodes }] of acquirers.entries()) {
    const { messages, mac, actionCodes }: Dialect = dialects.get(id) ?? ISO93;
    const path = `acquirers[${index}]`;
    const unspoken = operations.find((operation) => messages[operation] === undefined);
    if (unspoken !== undefined) {
      throw new BadJson(`${path}.operations`, `has ${unspoken}, and the dialect has no such message`);
    }
    const failing = failoverCodes.findIndex((code) => !isPlainDecline(actionCodes, code));
    if (failing >= 0)
      throw new BadJson(`${path}.failoverCodes[${failing}]`, 'is no code by which the dialect declines');
    if (reconciliation && messages.Reconcile === undefined) {
      throw new BadJson(`${path}.reconciliation`, 'must be false: the dialect has no Reconcile message');
    }
    if (mac !== undefined && macKey === undefined)
      throw new BadJson(`${path}.macKey`, 'is missing: the dialect has a mac');
    if (mac === undefined && macKey !== undefined)
      throw new BadJson(`${path}.macKey`, 'is of no use: the dialect has no mac');
  }
}

/** Names that the acquirer's fields have no room for. */
function refuseMisfits(agreements: readonly Agreement[], dialects: ReadonlyMap<string, Dialect>): void {
  for (const [index, { acquirer, merchantId, terminalIds, merchant }] of agreements.entries()) {
    const dialect = dialects.get(acquirer) ?? ISO93;
    const refuse = (name: FieldName, text: string, path: string) => {
      const place = placeOf(dialect, name);
      if (place === undefined) return;
      if (text.length > place.most || (place.form === 'n' && /[^0-9]/.test(text))) {
        throw new BadJson(`agreements[${index}].${path}`, 'does not fit the field of the dialect');
      }
    };
    refuse('merchantId', merchantId, 'merchantId');
    if (!isSpelled(merchant.name, dialect.characters)) {
      throw new BadJson(`agreements[${index}].merchant.name`, 'has no letter that the dialect has characters for');
    }
    const { codes } = placeOf(dialect, 'merchantCountry') ?? {};
    if (codes !== undefined && !Object.hasOwn(codes, merchant.country)) {
      throw new BadJson(
        `agreements[${index}].merchant.country`,
        'has no code in the dialect: add one to merchantCountry',
      );
    }
    for (const [at, terminal] of terminalIds.entries()) refuse('terminalId', terminal, `terminalIds[${at}]`);
  }
}
