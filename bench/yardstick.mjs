/**
 * The yardstick: a bare `node:http` server that reads each request to its end, its body as JSON, and answers always the same
 * bytes. What it takes is what Node's HTTP alone costs here and now. It gets the answer as its only message and sends back
 * its port.
 */
import { createServer } from 'node:http';

process.once('message', ({ headers, body }) => {
  const bytes = Buffer.from(body);
  const server = createServer((request, response) => {
    const answer = () => {
      response.writeHead(200, headers);
      response.end(bytes);
    };
    if (request.method === 'GET') return answer();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const read = JSON.parse(Buffer.concat(chunks).toString());
      if (typeof read === 'object') answer();
    });
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
