import type { Finding } from '../../kit/findings.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AcquirersSetup, DirectoryServer, MutualTls, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import {
  agreementFindings,
  cardsFinding,
  leftOutFindings,
  lineFindings,
  type ResultsLook,
  resultsFindings,
} from './examine-three-ds.rules.ts';
import type { DirectoryState, FoundOnPort, LeftOutMember, Probed } from './three-ds.types.ts';

/** What 3-D Secure is looked at with. */
export interface ThreeDSLook {
  /** What was asked of directory servers, and told. */
  readonly directories: readonly DirectoryState[];
  readonly leftOut: readonly LeftOutMember[];
  /** Whether nothing is to be connected to. */
  readonly isOffline: boolean;
  /** @throws Trouble where a certificate or key cannot be used */
  readonly probeDirectory: (server: DirectoryServer) => Promise<Probed>;
  readonly probeResults: (server: ThreeDSServer, tls: MutualTls) => Promise<FoundOnPort>;
  readonly hasNameOf: (tls: MutualTls, resultsUrl: string) => boolean;
}

/**
 * Looks whether payers can be authenticated: directory servers, the cards that they have told, the address for results, and
 * agreements. What cannot be read of certificates and keys is told elsewhere.
 */
export async function examineThreeDS(setup: AcquirersSetup, look: ThreeDSLook): Promise<readonly Finding[]> {
  const { threeDS } = setup;
  if (threeDS === undefined) return agreementFindings(setup);
  const ofServers = await Promise.all(
    threeDS.directoryServers.map(async (server) => {
      const probed = look.isOffline ? undefined : await readable(() => look.probeDirectory(server));
      return [
        ...(probed === undefined ? [] : lineFindings(server, probed)),
        cardsFinding(server, look.directories),
        ...leftOutFindings(server, look.leftOut),
      ];
    }),
  );
  const results = await readable(() => lookAtResults(threeDS, look));
  return [
    ...ofServers.flat(),
    ...(results === undefined ? [] : resultsFindings(threeDS, results)),
    ...agreementFindings(setup),
  ];
}

async function lookAtResults(server: ThreeDSServer, look: ThreeDSLook): Promise<ResultsLook | undefined> {
  const { tls, resultsUrl } = server;
  if (tls === 'none') return undefined;
  const found = look.isOffline ? undefined : await look.probeResults(server, tls);
  return { found, isNamed: look.hasNameOf(tls, resultsUrl) };
}

async function readable<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Trouble) return undefined;
    throw error;
  }
}
