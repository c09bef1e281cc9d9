/**
 * A service that does nothing but hold the embedded PostgreSQL, for tests that kill it. Runs what is built, because this
 * Node runs no TypeScript. Arguments: data directory, serve or command. Prints one line of JSON when it is ready or has
 * failed, and stops on SIGTERM.
 */
import { startEmbedded } from '../../../dist/modules/sandbox/postgres/embedded.js';

const [, , dataDir, as] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
try {
  const postgres = await startEmbedded({ dataDir, as, log: () => undefined });
  // More than one signal is one stop.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => postgres.stop());
  say({ adminUrl: postgres.adminUrl });
} catch (error) {
  say({ failure: `${error.name}: ${error.message}` });
}
