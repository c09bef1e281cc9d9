import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { answerConnect } from './client-error.ts';

test('a tunnel is refused, and a client that has reset the connection before ends nothing but it', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  client.resetAndDestroy();
  await once(client, 'close');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  // The connection is not read, so the reset was not noticed. To write shows it, as an error of the socket.
  answerConnect(socket, 'http://127.0.0.1');
  expect(await closed).toBe(true);
  server.close();
});
