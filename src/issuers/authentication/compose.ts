import type { Kontor } from '../../kontor.types.ts';
import type { AcquirersSetup, MutualTls, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import { ACQUIRER_FILES } from '../acquirers/file/acquirer-files.adapter.ts';
import { AUTHENTICATION_VALUE_USE } from './authentications.ts';
import type { NoteLeftOut, ThreeDS, TraceThreeDS } from './three-ds.types.ts';

/** Directory server and bank of a sandbox. */
export interface SandboxThreeDS {
  /** Starts them in this process: they have no settings and no files, so a process for them would only take memory. */
  readonly start: () => Promise<{ readonly server: ThreeDSServer; close(): Promise<void> } & Pick<ThreeDS, 'termsFor'>>;
}

/** What 3-D Secure is composed of. */
export interface ThreeDSParts extends Kontor {
  readonly acquirers: AcquirersSetup;
  /** In a sandbox, which knows no other directory server. */
  readonly testThreeDS: SandboxThreeDS | undefined;
  /** Keeps what passes; undefined where no trace is kept. */
  readonly trace: TraceThreeDS | undefined;
}

/** 3-D Secure as it runs. */
interface RunningThreeDS {
  readonly threeDS: ThreeDS;
  /** Uses other certificates and keys from now on. */
  readonly renew: (server: ThreeDSServer) => void;
}

/** Composes 3-D Secure: it is there once it was started, which commands do not do. */
export function composeThreeDS(parts: ThreeDSParts) {
  const { acquirers, testThreeDS } = parts;
  let running: RunningThreeDS | undefined;
  let heard: NoteLeftOut = () => undefined;
  return {
    ...parts,
    /** Undefined where the installation has none. */
    current: () => running?.threeDS,
    /** Notes what runs now; undefined where nothing does any more. */
    note: (now: RunningThreeDS | undefined) => {
      running = now;
    },
    keyUses: [AUTHENTICATION_VALUE_USE],
    /** Has what is left out of messages told to a listener too. */
    listenToLeftOut: (listener: NoteLeftOut) => {
      heard = listener;
    },
    heard: ((told) => heard(told)) satisfies NoteLeftOut,
    /**
     * Uses the certificates and keys that lie in the files now, where 3-D Secure is running.
     *
     * @returns whether there are any
     * @throws Trouble where one cannot be read: those before stay in use
     */
    renewCertificates: (): boolean => {
      const server = running && testThreeDS === undefined ? serverOf(acquirers) : undefined;
      if (server !== undefined) running?.renew(server);
      return server !== undefined;
    },
  };
}

/** What the file says of us, with certificates and keys in place of their paths. */
export function serverOf({ threeDS }: AcquirersSetup): ThreeDSServer | undefined {
  if (threeDS === undefined) return undefined;
  const read = (tls: MutualTls | 'none') => (tls === 'none' ? tls : ACQUIRER_FILES.tls(tls));
  const directoryServers = threeDS.directoryServers.map((directory) => ({ ...directory, tls: read(directory.tls) }));
  return { ...threeDS, tls: read(threeDS.tls), directoryServers };
}
