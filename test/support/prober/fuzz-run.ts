import fc from 'fast-check';
import { until } from '../until.ts';
import { type FuzzClient, type Outcome, openClient } from './fuzz-client.ts';
import { type Findings, openFindings } from './fuzz-findings.ts';
import type { Grounds } from './fuzz-grounds.ts';
import { shootImport } from './fuzz-imports.ts';
import { pageShots, shootAtPage } from './fuzz-pages.ts';
import { type FuzzPeople, openPeople } from './fuzz-people.ts';
import { openPool } from './fuzz-pool.ts';
import { type OddReceiver, startOddReceiver } from './fuzz-receiver.ts';
import { aim, type FuzzRequest, pasteable } from './fuzz-requests.ts';
import { type Shot, shotsAt } from './fuzz-shots.ts';
import type { FuzzSite } from './fuzz-site.ts';
import { shootAtSocket, socketShots } from './fuzz-sockets.ts';
import { type StallWatch, stallOf, watchStalls } from './fuzz-stalls.ts';
import { tourOf } from './fuzz-tour.ts';
import { PAYERS } from './fuzz-values.ts';
import { readOperations } from './operations.ts';
import { REFUSALS_ARE_NOTED, writtenByRefused } from './refusals.ts';
import { columnsOf } from './stored.ts';

/** What a run is to do. */
export interface FuzzPlan {
  readonly seed: number;
  /** Whether each operation is led to its refusals first, before anything is drawn. */
  readonly tour: boolean;
  /** At least so many requests are sent, of all kinds. */
  readonly requests: number;
  /** Bytes that may be left on the heap at the end beyond what was left after a fifth of the run. */
  readonly heapGrowthBytes: number;
  /** Ends the run at the first finding of this kind. */
  readonly until?: RegExp;
}

/** What came of it. */
export interface FuzzReport {
  /** What is wrong, each thing once, with a line to paste where one request does it. None is what we want. */
  readonly findings: readonly string[];
  readonly requests: number;
  /** Answers by their status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that were answered with success, and those that never were. */
  readonly reached: readonly string[];
  readonly unreached: readonly string[];
  /** Deliveries that came in. */
  readonly deliveries: number;
  /** Bytes that were left on the heap, as the run went on. */
  readonly heapBytes: readonly number[];
}

const BATCH = 200;
/** Refused requests that are sent again together, to see what they write; of what is drawn, no more of a batch are. */
const REFUSED_AGAIN = 50;
/** Refusals of one operation with one problem that a tour looks at. */
const ALIKE = 3;
const [WRITES, STALLS] = ['a refused request writes', 'stalls the event loop'];
const PAGES = 12;
const SOCKETS = 8;
const IMPORT_LINES = 120;
/** Batches between two imports. */
const IMPORT_BATCHES = 6;
/** Parts of the run after which the heap is measured. */
const HEAP_LOOKS = 5;
/** Milliseconds for what is due to be delivered at the end. */
const SETTLE_MS = 20_000;

/** Everything that the steps of a run share. */
interface Run {
  readonly site: FuzzSite;
  readonly plan: FuzzPlan;
  readonly client: FuzzClient;
  readonly people: FuzzPeople;
  readonly receiver: OddReceiver;
  readonly grounds: Grounds;
  readonly findings: Findings;
  readonly statuses: Record<string, number>;
  readonly reached: Set<string>;
}

/** Fuzzes a service until so many requests are sent, or it has ended. */
export async function runFuzz(site: FuzzSite, plan: FuzzPlan): Promise<FuzzReport> {
  const client = openClient(site);
  const receiver = await startOddReceiver();
  const run = await prepare({ site, plan, client, receiver });
  const { findings, statuses, reached, grounds } = run;
  const heapBytes: number[] = [];
  try {
    await shootBatches(run, heapBytes);
    if (!isOver(run)) await lookAtTheEnd(run, heapBytes);
  } catch (error) {
    // Who cannot be reached any more may be about to end.
    if (!(await site.isEnding())) throw error;
  } finally {
    client.close();
    await receiver.stop();
  }
  const ended = site.ended();
  findings.add(site.faultsInLog());
  if (ended !== undefined) findings.add([`the process has ended with ${ended}`], { lately: client.lately() });
  const all = grounds.operations.map(({ id }) => id);
  return {
    findings: findings.all(),
    requests: client.sent(),
    statuses,
    reached: [...reached],
    unreached: all.filter((id) => !reached.has(id)),
    deliveries: receiver.taken(),
    heapBytes,
  };
}

function isOver({ site, plan, findings }: Run): boolean {
  return site.ended() !== undefined || (plan.until !== undefined && findings.has(plan.until));
}

/** Whether a run looks for findings of a kind: one that ends at a finding of another kind need not. */
function looksFor({ plan }: Run, kind: string): boolean {
  return plan.until?.test(kind) ?? true;
}

async function shootBatches(run: Run, heapBytes: number[]): Promise<void> {
  const { site, plan, client, grounds, findings } = run;
  const shots = shotsAt(grounds.operations);
  const stalls = watchStalls(site, client);
  try {
    if (plan.tour) await walkTour(run, stalls);
    for (let batch = 0; client.sent() < plan.requests && !isOver(run); batch++) {
      const seed = plan.seed + batch;
      if (batch % IMPORT_BATCHES === 0) findings.add(await shootImport(site.settings, { seed, lines: IMPORT_LINES }));
      const refused = await shootAll(run, fc.sample(shots, { seed, numRuns: BATCH }));
      await shootElsewhere(run, seed);
      await lookAtRefused(run, refused);
      await lookAtStalls(run, stalls.takeSuspects());
      findings.add(site.faultsInLog());
      const isTimeToLook = client.sent() >= (plan.requests / HEAP_LOOKS) * (heapBytes.length + 1);
      if (isTimeToLook && !isOver(run)) heapBytes.push(await site.heapBytes());
      if (!isOver(run)) await run.people.refresh();
    }
  } finally {
    await stalls.stop();
  }
}

/** Leads each operation to its refusals, and looks at some of each kind. */
async function walkTour(run: Run, stalls: StallWatch): Promise<void> {
  const { site, plan, grounds, findings } = run;
  const looked = new Map<string, number>();
  const isNew = ({ request, answer }: Outcome) => {
    const kind = `${request.judged?.id} ${answer?.status} ${problemOf(answer)}`;
    const count = looked.get(kind) ?? 0;
    looked.set(kind, count + 1);
    return count < ALIKE;
  };
  for (const round of tourOf(grounds.operations, plan.seed)) {
    for (let at = 0; at < round.length && !isOver(run); at += BATCH) {
      const refused = (await shootAll(run, round.slice(at, at + BATCH))).filter(isNew);
      for (let next = 0; next < refused.length && !isOver(run); next += REFUSED_AGAIN) {
        await lookAtRefused(run, refused.slice(next, next + REFUSED_AGAIN));
      }
      await lookAtStalls(run, stalls.takeSuspects());
      findings.add(site.faultsInLog());
      if (!isOver(run)) await run.people.refresh();
    }
  }
}

/** Which problem an answer tells, in which words: the rules of one operation may share a type. Without what differs each time. */
function problemOf(answer: Outcome['answer']): string {
  const text = answer?.body ?? '';
  return [...text.matchAll(/"(?:type|detail|name|description)":"[^"]*"/g)].join(' ').replace(/\d+/g, '0');
}

async function prepare(parts: Pick<Run, 'site' | 'plan' | 'client' | 'receiver'>): Promise<Run> {
  const { site, plan, receiver } = parts;
  const { sandbox, baseUrl } = site;
  const operations = readOperations();
  const people = await openPeople(site);
  const pool = openPool(operations, {
    baseUrl,
    own: { payeeId: [sandbox.payeeId], payerReference: PAYERS },
    reserved: people.reserved,
  });
  for (const account of [...sandbox.accounts, ...sandbox.testCards.slice(0, 2)]) pool.addAccount(account);
  pool.learn([...sandbox.accounts, ...sandbox.testCards].map(({ paymentAccountId }) => ({ paymentAccountId })));
  const { accessToken, hmac } = sandbox;
  const grounds: Grounds = {
    operations,
    pool,
    payeeId: sandbox.payeeId,
    giftCardProductId: sandbox.giftCardProductId,
    oauth: sandbox.oauth,
    sender: (operation, pick) =>
      operation.security === 'session' ? people.sender(operation, pick) : { accessToken, hmac },
    user: people.user,
    receiver: receiver.host,
  };
  return { ...parts, people, grounds, findings: openFindings(plan.seed), statuses: {}, reached: new Set() };
}

/** Sends a batch, and learns from its answers. Returns what was refused. */
async function shootAll(run: Run, shots: readonly Shot[]): Promise<Outcome[]> {
  const { client, grounds, findings } = run;
  function* requests() {
    for (const shot of shots) {
      const request = aim(shot, grounds);
      for (let copy = 0; copy < shot.copies; copy++) yield request;
    }
  }
  const outcomes = await client.sendAll(requests(), (outcome) => learn(run, outcome));
  for (const { request, faults } of outcomes.filter((outcome) => outcome.faults.length > 0)) {
    await findings.addRequest(faults, request, async (smaller) => (await client.send(smaller)).faults);
  }
  return outcomes.filter(({ answer }) => answer !== undefined && answer.status >= 400);
}

function learn({ statuses, reached, grounds }: Run, { request, answer }: Outcome): void {
  if (answer === undefined) return;
  const { judged, params } = request;
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  if (answer.status >= 300) return;
  if (judged !== undefined) reached.add(judged.id);
  if (!answer.headers['content-type']?.startsWith('application/json')) return;
  try {
    grounds.pool.learn({ ...params, answer: JSON.parse(answer.body) });
  } catch {
    // What is no JSON the oracle tells.
  }
}

/** Pages and bare sockets, which no document describes. */
async function shootElsewhere({ site, client, grounds, findings }: Run, seed: number): Promise<void> {
  const pages = fc.sample(pageShots, { seed, numRuns: PAGES });
  const sockets = fc.sample(socketShots, { seed, numRuns: SOCKETS });
  const shots = [
    ...pages.map((shot) => ({ shot, count: 1, send: () => shootAtPage(site, grounds.pool, shot) })),
    ...sockets.map((shot) => ({ shot, count: shot.connections, send: () => shootAtSocket(site.baseUrl, shot) })),
  ];
  await Promise.all(
    shots.map(async ({ shot, count, send }) => {
      client.count(count);
      const faults = site.ended() === undefined ? await send() : [];
      if (site.ended() === undefined) findings.add(faults, { data: shot });
    }),
  );
}

async function lookAtRefused(run: Run, refused: readonly Outcome[]): Promise<void> {
  const { site, client, findings } = run;
  if (site.ended() !== undefined || !looksFor(run, WRITES)) return;
  // Those first that came far: by what is there, then by what was meant, then by form.
  const compared = refused
    .filter(({ request: { judged } }) => !REFUSALS_ARE_NOTED.includes(judged?.id ?? ''))
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(({ request }) => request);
  const refusedOf = async (requests: readonly FuzzRequest[]) =>
    (await client.sendAll(requests)).flatMap(({ request, answer }) =>
      (answer?.status ?? 200) >= 400 ? [request] : [],
    );
  const sent = [...new Set(compared)].slice(0, REFUSED_AGAIN);
  for (const { table, request } of await writtenByRefused({ database: site.database, refusedOf }, sent)) {
    findings.add([`${request.operation.id}: ${WRITES} ${table}`], { line: pasteable(request) });
  }
}

const FAR = [409, 422, 403, 404, 400];

function rankOf({ request, answer }: Outcome): number {
  const place = FAR.indexOf(answer?.status ?? 0);
  return (place === -1 ? FAR.length : place) + (request.method === 'GET' ? FAR.length : 0);
}

async function lookAtStalls(run: Run, suspects: readonly FuzzRequest[]): Promise<void> {
  const { site, client, findings } = run;
  for (const request of suspects) {
    if (site.ended() !== undefined || !looksFor(run, STALLS)) return;
    const waitedMs = await stallOf({ site, client }, request);
    if (waitedMs === undefined) continue;
    findings.add([`${request.operation.id}: ${STALLS}, others wait ${waitedMs} ms`], {
      line: pasteable(request),
    });
  }
}

/** After the last request: deliveries have gone out, the books are right, the heap has not grown, and it still answers. */
async function lookAtTheEnd({ site, plan, client, grounds, findings }: Run, heapBytes: number[]): Promise<void> {
  const isSettled = async () => {
    const [row] = await site.database.asAdmin('select count(*)::int as waiting from event_pending');
    return row?.['waiting'] === 0 || site.ended() !== undefined;
  };
  await until(isSettled, SETTLE_MS).catch(() => findings.add(['events wait for their positions, and get none']));
  const ready = await fetch(`${site.baseUrl}/health/ready`).catch(() => undefined);
  if (ready?.status !== 200) findings.add([`the service is not ready at the end: ${ready?.status}`]);
  const verified = await site.command('ledger', 'verify');
  if (verified.code !== 0)
    findings.add([`ledger verify ends with ${verified.code}: ${verified.stdout}${verified.stderr}`]);
  findings.add(site.faultsInLog());
  const { found } = await columnsOf(site.database.asAdmin, site.scanner);
  findings.add(found.map((what) => `a table has ${what}`));
  const [first = 0] = heapBytes;
  let grown = 0;
  // Requests whose caller has gone away are known until the next look at them.
  const isAsBefore = async () => {
    grown = (await site.heapBytes()) - first;
    return heapBytes.length === 0 || grown <= plan.heapGrowthBytes;
  };
  await until(isAsBefore, SETTLE_MS).catch(() => {
    findings.add([`the heap has grown by ${Math.round(grown / 1024)} KiB in ${client.sent()} requests: ${heapBytes}`]);
  });
  heapBytes.push(first + grown);
  // A caller who sent what is right before is still served.
  const list = grounds.operations.findIndex(({ id }) => id === 'listTokens');
  const good = aim(
    { operation: list, followsOffer: false, pick: 1, body: undefined, query: {}, headers: {}, faults: [], copies: 1 },
    grounds,
  );
  const { answer } = await client.send(good);
  if (answer?.status !== 200)
    findings.add([`a good request is answered with ${answer?.status} at the end`], { line: pasteable(good) });
}
