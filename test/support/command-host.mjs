/**
 * Runs commands of the built Kontor one after the other, each with its own environment and folder, for
 * `test/support/command-host.ts`: what a command loads is loaded once. It ends with who started it.
 */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** What a start of the service listens for. */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit'];

const { runKontor } = await import(pathToFileURL(process.argv[2]).href);

process.on('disconnect', () => process.exit());
process.on('message', async ({ args, environment, folder }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  // A stream that was read to its end says so once.
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk, ...rest) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.find((one) => typeof one === 'function');
      if (done !== undefined) process.nextTick(done);
      return true;
    };
  }
  const before = process.getActiveResourcesInfo().length;
  const status = await runKontor(args, () => {
    throw new Error('A command that ends its process by itself needs one of its own.');
  });
  // A process ends when nothing keeps it alive any more.
  while (process.getActiveResourcesInfo().length > before) await pause(2);
  for (const ending of ENDINGS) process.removeAllListeners(ending);
  process.send({ status: status ?? 0, ...written });
});
process.send('ready');
