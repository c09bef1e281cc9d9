import type { Acquiring } from './acquiring.ts';

/** The test directory server with its bank, in a process of its own. */
export interface SiteThreeDS {
  /** What acquirers.json says of it, and what its agreements say of a payee. */
  readonly file: object;
  readonly merchant: object;
}

/**
 * Starts it.
 *
 * @param resultsPort where each instance takes results; 0 is one that it draws and tells the bank
 */
export async function siteThreeDS(kontor: Pick<Acquiring, 'simulateThreeDS'>, resultsPort = 0): Promise<SiteThreeDS> {
  const { port } = await kontor.simulateThreeDS();
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
