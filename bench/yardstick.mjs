/**
 * The yardstick: what a bare server takes is what Node's HTTP alone costs here and now. It gets the answer as its only message
 * and sends back its port.
 */
import { bareServer } from './bare-server.mjs';

process.once('message', (answer) => {
  const server = bareServer(answer);
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
