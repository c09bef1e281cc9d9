/**
 * A server spoken to within its own process, over connections that are no sockets: only what it computes is measured, and not
 * what the system does for it. A turn is so short that on a busy machine too some are not interrupted; the least counts.
 */
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const CONNECTIONS = 64;
const START_OF_ANSWER = 'HTTP/1.1 ';

/**
 * Connects to a server in memory.
 *
 * @param {import('node:http').Server} server one that need not listen
 * @param {() => string} makeRequest gives the bytes of the next request
 * @returns `take`, which goes through so many turns of one request on each connection and gives the microseconds of each
 * request in the shortest turn; and `answer`, the text of the latest answer
 */
export function connectInMemory(server, makeRequest) {
  let left = 0;
  let answer = '';
  let finish = () => undefined;
  const connections = Array.from({ length: CONNECTIONS }, () => {
    const connection = new InMemory((text) => {
      answer = text;
      if (--left === 0) finish();
    });
    server.emit('connection', connection);
    return connection;
  });
  const requests = Array.from({ length: 4 * CONNECTIONS }, () => Buffer.from(makeRequest(), 'latin1'));
  let next = 0;
  const turn = async () => {
    left = CONNECTIONS;
    const finished = new Promise((resolve) => {
      finish = resolve;
    });
    for (const connection of connections) connection.push(requests[next++ % requests.length]);
    await finished;
    await nextTurn();
  };
  const take = async (turns) => {
    let least = Number.POSITIVE_INFINITY;
    for (let taken = 0; taken < turns; taken++) {
      const startedAt = performance.now();
      await turn();
      least = Math.min(least, performance.now() - startedAt);
    }
    return (least * 1000) / CONNECTIONS;
  };
  return { take, answer: () => answer };
}

/** What a server sees of a client on this machine. */
class InMemory extends Duplex {
  remoteAddress = '127.0.0.1';
  localAddress = '127.0.0.1';

  /** @param {(text: string) => void} heard is given each answer, which comes as one or two pieces at once */
  constructor(heard) {
    super({ decodeStrings: false });
    this.heard = heard;
  }

  _read() {}

  _write(piece, _encoding, done) {
    this._writev([{ chunk: piece }], done);
  }

  _writev(pieces, done) {
    done();
    const text = pieces.map(({ chunk }) => chunk.toString('latin1')).join('');
    if (text.startsWith(START_OF_ANSWER)) this.heard(text);
  }

  // What Node sets on sockets.
  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
}
