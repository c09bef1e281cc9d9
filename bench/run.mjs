/**
 * `npm run bench`: measures what the service promises, on this machine, against yardsticks in the same run. Rounds of the
 * service and of the yardstick take turns, and the median counts, so that a busy moment does not decide.
 *
 *     npm run bench -- --lines 1000000      a longer import
 *     npm run bench -- --only reads         one part: start, reads, cores, processes, edge, payments, acquirers, page,
 *                                           stored, deliveries, gift-cards, orders or import
 *     npm run bench -- --payments 10000000  authorizing beside so many stored payments
 *     npm run bench -- --orders 1000000     also opening pages beside so many stored payment orders
 *     npm run bench -- --only years --scale 0.1   a database of years; only where it is asked for
 *     npm run bench -- --rounds 3 --seconds 2
 *
 * A goal that is missed is printed, and no error: another machine is another measurement. The last line is all of it as
 * JSON.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import '../scripts/ensure-built.mjs';
import { measureAcquirers, reportAcquirers } from './measure-acquirers.mjs';
import { measureCores, reportCores } from './measure-cores.mjs';
import { measureDeliveries, reportDeliveries } from './measure-deliveries.mjs';
import { measureEdge, reportEdge } from './measure-edge.mjs';
import { measureGiftCards, measureNewCards, reportGiftCards, reportNewCards } from './measure-gift-cards.mjs';
import { measureImport } from './measure-import.mjs';
import { measureOrderPages, reportOrderPages } from './measure-order-pages.mjs';
import { measureOrders, reportOrders } from './measure-orders.mjs';
import { measurePage, reportPage } from './measure-page.mjs';
import { measurePayments } from './measure-payments.mjs';
import { measureProcesses, reportProcesses } from './measure-processes.mjs';
import { measureReads } from './measure-reads.mjs';
import { measureStart } from './measure-start.mjs';
import { measureStored } from './measure-stored.mjs';
import { measureYears, reportYears } from './measure-years.mjs';
import { printGoal, printValue } from './report.mjs';
import { reportPayments, reportStored } from './report-payments.mjs';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '100000' },
    payments: { type: 'string', default: '1000000' },
    cards: { type: 'string', default: '50000' },
    orders: { type: 'string' },
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
const wants = (part) => values.only === undefined || values.only === part;
const [lines, payments, rounds, seconds] = [values.lines, values.payments, values.rounds, values.seconds].map(Number);

// Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
const folder = await mkdtemp('/tmp/kontor-bench-');
await chmod(folder, 0o711);
const results = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model };
try {
  if (wants('start')) {
    results.start = await measureStart({ folder, rounds });
    printGoal('First start until ready, seconds', results.start.firstSeconds, { below: 6 });
    printGoal('Start on an existing data directory until ready, seconds', results.start.againSeconds, { below: 3 });
  }
  if (wants('reads')) {
    results.reads = await measureReads({ folder, rounds, seconds });
    const { perSecond, p99Ms, processorUs, bareHttpPerSecond, ratio, residentMib } = results.reads;
    printValue('GET of single tokens, 64 connections, requests a second', perSecond);
    printValue('  99 % of them within, milliseconds', p99Ms);
    printValue('  processor time of the service for each, microseconds', processorUs);
    printValue('Bare node:http, the same bytes, requests a second', bareHttpPerSecond);
    printGoal('GET of single tokens: share of bare node:http', ratio, { atLeast: 0.4 });
    printGoal('Resident memory of the service under this load, MiB', residentMib, { below: 200 });
  }
  if (wants('cores')) {
    results.cores = await measureCores({ folder, rounds, seconds });
    reportCores(results.cores);
  }
  if (wants('processes')) {
    results.processes = await measureProcesses({ folder, rounds, seconds });
    reportProcesses(results.processes);
  }
  if (wants('edge')) {
    results.edge = await measureEdge({ rounds });
    reportEdge(results.edge);
  }
  if (wants('payments')) {
    results.payments = await measurePayments({ folder, rounds, seconds });
    reportPayments(results.payments);
  }
  if (wants('acquirers')) {
    results.acquirers = await measureAcquirers({ folder, rounds, seconds });
    reportAcquirers(results.acquirers);
  }
  if (wants('page')) {
    results.page = await measurePage({ folder, rounds, seconds });
    reportPage(results.page);
  }
  if (wants('stored')) {
    results.stored = await measureStored({ folder, rounds, seconds, payments });
    reportStored(results.stored);
  }
  if (wants('deliveries')) {
    results.deliveries = await measureDeliveries({ folder, rounds, seconds });
    reportDeliveries(results.deliveries);
  }
  if (wants('gift-cards')) {
    results.newCards = await measureNewCards({ folder, rounds, seconds });
    reportNewCards(results.newCards);
    results.giftCards = await measureGiftCards({ folder, cards: Number(values.cards) });
    reportGiftCards(results.giftCards);
  }
  if (wants('orders')) {
    results.orders = await measureOrders({ folder, rounds, seconds });
    reportOrders(results.orders);
  }
  if (values.orders !== undefined) {
    results.orderPages = await measureOrderPages({ folder, rounds, seconds, orders: Number(values.orders) });
    reportOrderPages(results.orderPages);
  }
  if (values.only === 'years') {
    results.years = await measureYears({ folder, rounds, seconds, scale: Number(values.scale) });
    reportYears(results.years);
  }
  if (wants('import')) {
    results.import = await measureImport({ folder, lines });
    const { linesPerSecond, barePerSecond, share, processorUs, residentMibAtAFifth, residentMibAtTheEnd } =
      results.import;
    printGoal(`Import of ${lines} lines, lines a second`, linesPerSecond, { atLeast: 5000 });
    printValue('Bare loop: read, parse, digest and seal, lines a second', barePerSecond);
    printGoal('Import: share of the bare loop', share, { atLeast: 0.25 });
    printValue('  processor time of the command for each, with its start, µs', processorUs);
    printValue('  resident memory after a fifth of the time, MiB', residentMibAtAFifth);
    printValue('  resident memory at the end, MiB', residentMibAtTheEnd);
    printGoal('  memory at the end over memory after a fifth', residentMibAtTheEnd / residentMibAtAFifth, {
      below: 1.25,
    });
  }
  console.log(JSON.stringify(results));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
