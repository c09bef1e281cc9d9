import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DirectoryServer } from '../../src/issuers/acquirers/acquirers.types.ts';
import { directoryLine } from '../../src/issuers/authentication/directory-line.adapter.ts';
import { type HostileDirectory, hostileDirectory } from '../support/issuer/hostile-directory.ts';

// A firewall between us and a directory server: it drops connections on which nothing has passed, and tells no one.

let directory: HostileDirectory;
const firewall = createServer();
const passing: Socket[] = [];
let port = 0;
beforeAll(async () => {
  directory = await hostileDirectory();
  firewall.on('connection', (socket) => {
    const beyond = connect(directory.port, '127.0.0.1');
    for (const end of [socket, beyond]) end.on('error', () => undefined);
    socket.pipe(beyond).pipe(socket);
    passing.push(socket);
  });
  await new Promise<void>((resolve) => firewall.listen(0, '127.0.0.1', resolve));
  port = (firewall.address() as { port: number }).port;
});
afterAll(async () => {
  for (const socket of passing) socket.destroy();
  firewall.close();
  await directory.close();
});

/** From now on nothing passes any more on the connections that are there. */
function dropSilently(): void {
  for (const socket of passing) socket.unpipe();
}

test('a question goes out on another connection than one on which nothing has passed for a while', async () => {
  const line = directoryLine(50);
  const server: DirectoryServer = {
    scheme: 'Visa',
    url: `http://127.0.0.1:${port}/visa`,
    tls: 'none',
    answerMs: 2_000,
  };
  const ask = () => line.ask(server, { messageType: 'AReq' }, 65_536);
  expect(await Promise.all([ask(), ask()])).toEqual([expect.stringContaining('ARes'), expect.stringContaining('ARes')]);
  expect(passing).toHaveLength(2);
  dropSilently();
  await pause(150);
  expect(await ask()).toContain('ARes');
  line.close();
});
