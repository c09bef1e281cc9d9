/**
 * Stands between a service and its database as a network does: what is said arrives later, in each direction, in its order. Its
 * first message says where the database is and how many milliseconds one way takes; it sends back its port.
 */
import { connect, createServer } from 'node:net';

process.once('message', ({ target, oneWayMs }) => {
  const pass = (from, to) => {
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), oneWayMs));
    from.on('close', () => setTimeout(() => to.destroy(), oneWayMs));
    from.on('error', () => to.destroy());
  };
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ ...target, noDelay: true });
    pass(client, database);
    pass(database, client);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
