import type { Acquiring } from './acquiring.ts';
import { switchboard } from './switchboard.ts';

/** The test directory server with its bank, in a process of its own, and a switchboard that leads results to whatever instance serves. */
export interface SiteThreeDS {
  /** What acquirers.json says of it, and what its agreements say of a payee. */
  readonly file: object;
  readonly merchant: object;
  /** Has results go to the port of an instance that has just been started. */
  follow(port: number): void;
  close(): Promise<void>;
}

/** Starts it. */
export async function siteThreeDS(kontor: Pick<Acquiring, 'simulateThreeDS'>): Promise<SiteThreeDS> {
  const [results, { port }] = await Promise.all([switchboard(), kontor.simulateThreeDS()]);
  return {
    file: {
      serverReferenceNumber: 'TEST',
      operatorId: 'TEST',
      resultsUrl: `http://127.0.0.1:${results.port}/3ds/results`,
      resultsPort: 0,
      tls: 'none',
      directoryServers: [{ scheme: 'Visa', url: `http://127.0.0.1:${port}/visa`, tls: 'none' }],
    },
    merchant: { Visa: { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' } },
    follow: results.leadTo,
    close: results.close,
  };
}
