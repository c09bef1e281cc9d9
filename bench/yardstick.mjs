/**
 * The yardstick for reads: a bare `node:http` server that answers every request with the same bytes. What it reaches is
 * what Node's HTTP alone costs here and now. It gets the answer as its only message and sends back its port.
 */
import { createServer } from 'node:http';

process.once('message', ({ headers, body }) => {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
