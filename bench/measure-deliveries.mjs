/** What deliveries cost those who pay: authorizing at a fixed rate, with a webhook that gets every event and without one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMs } from './kontor.mjs';
import { ACCOUNTS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, percentile, printGoal, printValue } from './report.mjs';
import { authorize, openShop } from './shop.mjs';

/** What a shop of some size does, and as many connections as it has. */
const PER_SECOND = 200;
const CONNECTIONS = 32;
/** Both take turns of so many seconds, because the machine is faster in one moment than in another. */
const TURN_SECONDS = 4;
/** 99 % of fewer requests would be decided by a handful. */
const LEAST_SECONDS = 10;
/** Far longer than it takes to deliver what a round has left. */
const DRAIN_MS = 60_000;

/**
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns 99 % of all authorizations with deliveries and of all without, their ratio, the processor time of the service for
 * each authorization of both, and how long after a turn the last delivery came
 */
export async function measureDeliveries({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'deliveries'), { accounts: ACCOUNTS });
  const receiver = await openReceiver();
  try {
    const webhook = await openWebhook(shop.grouped, receiver.url);
    const parties = { ...shop, receiver, webhook };
    await measureRound(parties, { seconds: WARM_UP_SECONDS, round: 0 });
    const turns = Math.ceil((rounds * Math.max(seconds, LEAST_SECONDS)) / TURN_SECONDS);
    const results = [];
    for (let turn = 0; turn < turns; turn++) {
      results.push(await measureRound(parties, { seconds: TURN_SECONDS, round: turn }));
    }
    return summary(results);
  } finally {
    receiver.close();
    await shop.close();
  }
}

/** A server that takes whatever comes, and counts. */
async function openReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received++;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, received: () => received, close };
}

async function openWebhook({ baseUrl, accessToken }, url) {
  const ask = async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
    return response.json();
  };
  const { webhook } = await ask('POST', '/webhooks', { url, eventTypes: ['payment.authorized'] });
  return { become: (state) => ask('PATCH', webhook.id, { state }) };
}

/** Whichever comes first in one round comes second in the next, so that a machine that slows down favours neither. */
async function measureRound(parties, { seconds, round }) {
  if (round % 2 === 0) {
    const without = await measureWithout(parties, seconds);
    return { without, ...(await measureBeside(parties, seconds)) };
  }
  const beside = await measureBeside(parties, seconds);
  return { without: await measureWithout(parties, seconds), ...beside };
}

async function measureWithout({ grouped, accounts, webhook }, seconds) {
  await webhook.become('Disabled');
  return atFixedRate(grouped, accounts, seconds);
}

async function measureBeside({ grouped, accounts, receiver, webhook }, seconds) {
  await webhook.become('Enabled');
  const before = receiver.received();
  const beside = await atFixedRate(grouped, accounts, seconds);
  return { beside, lagMs: await waitFor(() => receiver.received() - before >= beside.requests) };
}

async function atFixedRate(service, accounts, seconds) {
  const before = processorMs(service.processId);
  const result = await authorize(service, accounts, {
    connections: CONNECTIONS,
    seconds,
    perSecond: PER_SECOND,
    keepsTimes: true,
  });
  const processorUs = ((processorMs(service.processId) - before) * 1000) / result.requests;
  return { ...result, processorUs };
}

async function waitFor(isDone) {
  const startedAt = performance.now();
  while (!isDone()) {
    if (performance.now() - startedAt > DRAIN_MS) throw new Error('Not every event was delivered.');
    await pause(10);
  }
  return performance.now() - startedAt;
}

function summary(rounds) {
  const middle = (read) => median(rounds.map(read));
  const p99Of = (read) => percentile(rounds.flatMap(read), 0.99);
  const p99Ms = p99Of(({ beside }) => beside.timesMs);
  const p99WithoutMs = p99Of(({ without }) => without.timesMs);
  return {
    perSecond: PER_SECOND,
    p99Ms,
    p99WithoutMs,
    ratio: p99Ms / p99WithoutMs,
    processorUs: middle(({ beside }) => beside.processorUs),
    processorWithoutUs: middle(({ without }) => without.processorUs),
    lagMs: middle(({ lagMs }) => lagMs),
  };
}

/** Prints what `measureDeliveries` gives. */
export function reportDeliveries({ perSecond, p99Ms, p99WithoutMs, ratio, processorUs, processorWithoutUs, lagMs }) {
  printValue(`${perSecond} authorizations a second, 99 % within, milliseconds`, p99WithoutMs);
  printValue('  with a webhook that gets all of them', p99Ms);
  printGoal('  the second over the first', ratio, { below: 1.1 });
  printValue('Processor time of the service for each, microseconds', processorWithoutUs);
  printValue('  with its delivery', processorUs);
  printValue('The last delivery after the last answer, milliseconds', lagMs);
}
