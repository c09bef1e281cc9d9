import { freePort } from '../ports.ts';
import type { Acquiring } from './acquiring.ts';

/** The test directory server with its bank, in a process of its own. */
export interface SiteThreeDS {
  /** What acquirers.json says of it, and what its agreements say of a payee. */
  readonly file: object;
  readonly merchant: object;
}

/** Starts it. Results go to one port, where one instance can listen: those that come after it was killed find the next one. */
export async function siteThreeDS(kontor: Pick<Acquiring, 'simulateThreeDS'>): Promise<SiteThreeDS> {
  const [{ port }, resultsPort] = await Promise.all([kontor.simulateThreeDS(), freePort()]);
  return {
    file: {
      serverReferenceNumber: 'TEST',
      operatorId: 'TEST',
      resultsUrl: `http://127.0.0.1:${resultsPort}/3ds/results`,
      resultsPort,
      tls: 'none',
      directoryServers: [{ scheme: 'Visa', url: `http://127.0.0.1:${port}/visa`, tls: 'none' }],
    },
    merchant: { Visa: { acquirerBin: '476173', merchantId: 'demo', requestorId: 'demo', requestorName: 'Demo AS' } },
  };
}
