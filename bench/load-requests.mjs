/**
 * The load generator, in a process of its own: sends one server requests of a kind (`requests.mjs`) for some seconds. They are
 * signed before the clock starts and travel over plain sockets, because whatever this process takes of the processor, the
 * service does not have.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { percentile } from './report.mjs';
import { isWhole, requestMaker } from './requests.mjs';

/** Requests for each second that are signed ahead. A faster client signs the rest on the way. */
const SIGNED_PER_SECOND = 10_000;
/** The service closes a connection after 1 000 requests. */
const REQUESTS_ON_A_CONNECTION = 900;

process.once('message', async ({ connections, seconds, perSecond, keepsTimes = false, ...target }) => {
  const makeRequest = requestMaker(target);
  const { signedPerSecond = perSecond ?? (connections === 1 ? 1000 : SIGNED_PER_SECOND) } = target;
  const ready = Array.from({ length: seconds * signedPerSecond }, makeRequest);
  const next = () => ready.pop() ?? makeRequest();
  const { hostname, port } = new URL(target.baseUrl);
  const open = () => connect({ host: hostname, port, noDelay: true }).setEncoding('latin1');
  const sockets = Array.from({ length: connections }, open);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const [times, failed] = [[], []];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const dueAt = perSecond === undefined ? () => performance.now() : schedule({ startedAt, perSecond });
  await Promise.all(sockets.map((socket) => keepAsking(socket, { open, next, endsAt, times, failed, dueAt })));
  const reached = ((times.length - failed.length) * 1000) / (performance.now() - startedAt);
  const [requests, example] = [times.length, failed[0]];
  process.send({
    perSecond: reached,
    requests,
    medianMs: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    ...(keepsTimes && { timesMs: times }),
    failed: failed.length,
    example,
  });
  process.disconnect();
});

/**
 * When the next request is due, whichever connection is free. It counts from then, and not from when a slow answer has
 * left a connection free for it: payers do not wait for each other.
 */
function schedule({ startedAt, perSecond }) {
  let made = 0;
  return () => startedAt + (made++ * 1000) / perSecond;
}

/** Sends one request after the other over a connection, each when it is due and the one before is answered. */
function keepAsking(first, { open, next, endsAt, times, failed, dueAt }) {
  return new Promise((resolve, reject) => {
    let socket;
    let left;
    let received = '';
    let sentAt = 0;
    const use = (opened) => {
      socket = opened;
      left = REQUESTS_ON_A_CONNECTION;
      socket.on('data', take);
      socket.once('error', reject);
      socket.once('end', () => reject(new Error('The server closed a connection.')));
    };
    const ask = () => {
      sentAt = dueAt();
      if (sentAt < endsAt) return sendAt(sentAt);
      socket.destroy();
      resolve();
    };
    const sendAt = (time) => {
      const waitMs = time - performance.now();
      if (waitMs > 0) setTimeout(() => socket.write(next(), 'latin1'), waitMs);
      else socket.write(next(), 'latin1');
    };
    const take = (chunk) => {
      received += chunk;
      if (!isWhole(received)) return;
      times.push(performance.now() - sentAt);
      if (!isApproval(received)) failed.push(received);
      received = '';
      if (--left === 0) {
        socket.destroy();
        use(open());
      }
      ask();
    };
    use(first);
    ask();
  });
}

const GOOD_ANSWER = /"state":"(?:OK|Ready|Active)"|"accountSummary(?:GiftCard)?":/;

function isApproval(received) {
  return /^HTTP\/1\.1 20[01] /.test(received) && GOOD_ANSWER.test(received);
}
