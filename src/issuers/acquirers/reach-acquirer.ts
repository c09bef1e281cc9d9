import { type Dialect, MAC_KEY_BYTES } from '../../iso8583/dialects/dialect.types.ts';
import type { BusinessDays, Dial, LineAddress, LinkContext, LinkEvents } from '../../iso8583/link/link.types.ts';
import type { MakeMac, MessageMac, TracedMessage } from '../../iso8583/messages.types.ts';
import { timesOf } from '../../iso8583/times.ts';
import { traced } from '../../iso8583/traced.rules.ts';
import { wireOf } from '../../iso8583/wire.rules.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Acquirer, AcquirerFiles } from './acquirers.types.ts';

/** How a test host names itself in its answer to a sign-on (field 44). */
const TEST_HOST = 'KONTOR-TEST';

/** What lines are opened with. */
export interface LinesParts {
  readonly dial: Dial;
  readonly files: Pick<AcquirerFiles, 'tls' | 'macKey'>;
  readonly makeMac: MakeMac;
  readonly now: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
  readonly pause: (durationMs: number) => Promise<void>;
}

/** Where an acquirer is, with what its lines are protected by: each of its sites. */
export function addressesOf(
  { host, port, otherSites, tls }: Acquirer,
  files: LinesParts['files'],
): readonly [LineAddress, ...LineAddress[]] {
  const protection = tls === 'none' ? tls : { ...files.tls(tls), serverName: tls.serverName };
  return [{ host, port, tls: protection }, ...otherSites.map((site) => ({ ...site, tls: protection }))];
}

/** With which messages to an acquirer are sealed, where its dialect says so: by the key that lies in the file now. */
export function macOf({ macKey }: Acquirer, { mac }: Dialect, { files, makeMac }: LinesParts): Sealing {
  if (mac === undefined || macKey === undefined) return {};
  const key = files.macKey(macKey, MAC_KEY_BYTES[mac.algorithm]);
  return { mac: makeMac(mac, key), macKey: key };
}

type Sealing = Pick<Reached, 'mac' | 'macKey'>;

/** One acquirer, as a link to it needs it. */
export interface Reached {
  readonly acquirer: Acquirer;
  readonly dialect: Dialect;
  readonly addresses: readonly [LineAddress, ...LineAddress[]];
  readonly events: LinkEvents;
  readonly mac?: MessageMac;
  /** What the codes are made with. */
  readonly macKey?: Secret;
  /** Without it, whatever it says of its days is taken and forgotten. */
  readonly days?: BusinessDays;
  /** Sees each message that passes, masked. */
  readonly trace?: Trace;
}

/** Sees what passes on the lines to an acquirer: what is secret is out of it by then. */
export type Trace = (
  traced: TracedMessage & { readonly acquirerId: string; readonly site: string; readonly isOurs: boolean },
) => void;

/** What a link to an acquirer is opened with. */
export function linkContext(
  { acquirer, dialect, addresses: [address, ...otherAddresses], events, days, mac, trace }: Reached,
  { dial, now, random }: LinesParts,
): LinkContext {
  return {
    address,
    otherAddresses,
    connections: acquirer.connections,
    echoMs: acquirer.echoSeconds * 1_000,
    drainMs: acquirer.answerMs,
    wire: wireOf(dialect, acquirer.forwardingInstitution, mac),
    dial,
    events,
    ...(days && { days }),
    ...(trace && {
      passed: (passed, site) =>
        trace({ ...traced(dialect, passed), acquirerId: acquirer.id, site, isOurs: passed.isOurs }),
    }),
    timesOf: (at) => timesOf(at, dialect.timeZone),
    now,
    random,
    // A card must not go to a test host that is taken for an acquirer, nor a try to an acquirer.
    accepts: (hostText) => (hostText === TEST_HOST) === acquirer.testHost,
  };
}
