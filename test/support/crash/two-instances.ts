import { type TestService, testService } from '../service.ts';
import { startService } from '../service-process.ts';

/** Two instances of the service on one database. */
export interface TwoInstances {
  /** The one in this process. */
  readonly kontor: TestService;
  /** The same, but its requests go to the other one, in a process of its own. */
  readonly other: TestService;
  /** Where that process listens. */
  readonly otherUrl: string;
  /** All that the other one has written. */
  output(): Buffer;
  /** Ends the other one's process at once, whatever it is doing. */
  kill(): void;
  stop(): Promise<void>;
}

/**
 * Starts both on a database of their own, with these settings beside those of tests, and some of the other one's alone.
 *
 * @param main the other one's program, where it is not that of this checkout
 */
export async function twoInstances(
  settings: Readonly<Record<string, string>> = {},
  ofOther: Readonly<Record<string, string>> = {},
  main?: string,
): Promise<TwoInstances> {
  const kontor = await testService(settings);
  const { appUrl, ownerUrl } = kontor.database;
  const environment = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: appUrl,
    KONTOR_DATABASE_OWNER_URL: ownerUrl,
    KONTOR_DATA_DIR: kontor.config.dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    ...settings,
    ...ofOther,
  };
  const spawned = await startService(environment, [], main);
  const other: TestService = {
    ...kontor,
    // A link in an answer says where it goes.
    send: (method, path, options) =>
      kontor.send(method, path.startsWith('http') ? path : `${spawned.baseUrl}${path}`, options),
  };
  return {
    kontor,
    other,
    otherUrl: spawned.baseUrl,
    output: spawned.output,
    kill: spawned.kill,
    async stop() {
      await spawned.stop();
      await kontor.stop();
    },
  };
}
