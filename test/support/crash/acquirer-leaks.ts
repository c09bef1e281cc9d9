import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cutFrames } from '../../../sandbox/acquirer/host-frames.ts';
import { ISO93 } from '../../../src/iso8583/dialects/iso93.rules.ts';
import type { AcquirerSite } from '../issuer/acquirer-site.ts';
import { filesBelow, type Sought, scanFolder, scannerFor } from '../prober/scanner.ts';
import { until } from '../until.ts';
import { PAYERS_CVC, type Payers } from './acquirer-payers.ts';

/** Frames that are sought as a whole, in all forms; the numbers in all others are sought by themselves. */
const FRAMES = 50;

/** What was looked through, and what was found there: nothing is what we want. */
export interface Leaks {
  readonly found: readonly string[];
  /** Bytes by the place. */
  readonly scanned: Readonly<Record<'output' | 'database' | 'folder' | 'heap', number>>;
}

/**
 * Looks for all card numbers, codes, authentication values and frames of a site's runs in what its processes have written,
 * in a dump of its database, in its folder with the acquirers' journals, and in the heap of an instance after a collection
 * of garbage. It ends the site's processes.
 */
export async function scanForLeaks(site: AcquirerSite, payers: Payers): Promise<Leaks> {
  const heap = await stringsOfHeap(site);
  const output = Buffer.from(await site.outputs());
  const dump = Buffer.from(await dumpDatabase(site));
  const scanner = scannerFor(soughtOf(site, payers));
  const { folder } = site.kontor.installation;
  const inPlace = (place: string, bytes: Buffer) => scanner.scan(bytes).map((found) => `${place}: ${found}`);
  return {
    found: [
      ...inPlace('output', output),
      ...inPlace('database', dump),
      ...inPlace('heap', heap),
      ...scanFolder(folder, scanner),
    ],
    scanned: {
      output: output.length,
      database: dump.length,
      folder: filesBelow(folder).length,
      heap: heap.length,
    },
  };
}

function soughtOf({ acquirers }: AcquirerSite, { numbers, authenticationValues }: Payers): Sought[] {
  const frames = acquirers
    .flatMap(({ board }) => cutFrames(ISO93, board.heard()).frames)
    .filter((frame) => frame.subarray(0, 2).toString('latin1') === '11');
  const text = (name: string, value: string): Sought => ({ name, value, kind: 'secret' });
  const code = `09003${PAYERS_CVC}`;
  return [
    ...numbers.map((value, index): Sought => ({ name: `number ${index}`, value, kind: 'card number' })),
    ...authenticationValues.map((value, index) => text(`authentication value ${index}`, value)),
    ...frames.slice(0, FRAMES).map((frame, index) => text(`frame ${index}`, frame.toString('latin1'))),
    // A code alone is any three digits: it is sought with what stands around it in a frame, a question and a request.
    ...[...new Set(frames.flatMap((frame) => textAround(frame.toString('latin1'), code)))].map((value) =>
      text('cvc in a frame', value),
    ),
    text('cvc in a request', `"cardVerificationCode":"${PAYERS_CVC}"`),
    text('cvc in a question', `"cvc":"${PAYERS_CVC}"`),
  ];
}

/** The tag of a code with the one behind it: together long enough to be nothing else. */
function textAround(frame: string, code: string): string[] {
  const at = frame.indexOf(code);
  return at === -1 ? [] : [frame.slice(at, at + code.length + '130010170320'.length)];
}

/** The strings in an instance's heap after a collection of garbage, as a snapshot has them. */
async function stringsOfHeap({ kontor, instances }: AcquirerSite): Promise<Buffer> {
  const [instance] = instances;
  if (instance === undefined) throw new Error('an instance runs');
  const { folder } = kontor.installation;
  const found = () => readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
  instance.process.kill('SIGUSR2');
  await until(() => found() !== undefined, 30_000);
  const path = join(folder, found() ?? '');
  // While it is written the process answers nothing; a connection from before may end meanwhile.
  await until(async () => {
    const answer = await fetch(`${instance.baseUrl}/health/live`).catch(() => undefined);
    return answer?.ok === true;
  }, 60_000);
  const { strings } = JSON.parse(readFileSync(path, 'utf8')) as { readonly strings: readonly string[] };
  rmSync(path);
  return Buffer.from(strings.join('\n'));
}

/** All rows of a database as text. */
export async function dumpDatabase({
  kontor,
}: {
  readonly kontor: Pick<AcquirerSite['kontor'], 'database'>;
}): Promise<string> {
  const { asAdmin } = kontor.database;
  const tables = await asAdmin(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await asAdmin(`select t::text as row from ${name} t`);
    texts.push(`${name}`, ...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}
