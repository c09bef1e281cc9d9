import { type Dialect, MAC_KEY_BYTES } from '../../iso8583/dialects/dialect.types.ts';
import { openLink } from '../../iso8583/link/link.flow.ts';
import type { BusinessDays, Dial, LineAddress, Link, LinkContext, LinkEvents } from '../../iso8583/link/link.types.ts';
import type { MakeMac, MessageMac } from '../../iso8583/messages.types.ts';
import { timesOf } from '../../iso8583/times.ts';
import { wireOf } from '../../iso8583/wire.rules.ts';
import { assert } from '../../kit/assert.ts';
import type { AcquirerLine } from '../issuers.rules.ts';
import type { IssuerHost } from '../questions.types.ts';
import { type AcquirerHostContext, acquirerHost } from './acquirer-host.flow.ts';
import type { Acquirer, AcquirerFiles, AcquirersSetup, LinesState } from './acquirers.types.ts';

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
}

/** The lines of one instance to all acquirers. Until they are opened, no question is sent. */
export interface AcquirerLines {
  lineOf(acquirerId: string): AcquirerLine;
  /**
   * Opens all of them. They come up by themselves, and come back.
   *
   * @param eventsOf hears what happens on the lines to an acquirer
   * @param portOf where one listens, where that is known only now
   * @throws Trouble where certificates or keys cannot be read
   */
  open(eventsOf: (acquirerId: string) => LinkEvents, portOf?: (acquirer: Acquirer) => number): void;
  /** The lines to one, for what is no question about a payment; undefined where they are not open. */
  linkTo(acquirerId: string): Pick<Link, 'ask'> | undefined;
  states(): readonly LinesState[];
  /** No more questions; signs off, waits for what is under way, and closes. */
  close(): Promise<void>;
}

/**
 * The lines to the acquirers of a setup.
 *
 * @param late hears of answers that were waited for no more
 */
export function acquirerLines(
  { acquirers, dialects }: AcquirersSetup,
  parts: LinesParts,
  daysOf: (acquirer: Acquirer) => BusinessDays,
  late?: AcquirerHostContext['late'],
): AcquirerLines {
  const links = new Map<string, Link>();
  const lines = new Map(acquirers.map((acquirer) => [acquirer.id, lineOf(acquirer)]));

  function dialectOf({ id }: Acquirer) {
    const dialect = dialects.get(id);
    assert(dialect !== undefined, 'each acquirer has its dialect');
    return dialect;
  }
  function lineOf(acquirer: Acquirer): AcquirerLine {
    const ask: Link['ask'] = async (asked) =>
      (await links.get(acquirer.id)?.ask(asked)) ?? { outcome: 'NotSent', because: 'NoConnection' };
    const host: IssuerHost = acquirerHost({
      acquirer,
      dialect: dialectOf(acquirer),
      link: { ask },
      ...(late && { late }),
    });
    return { host, isReady: () => (links.get(acquirer.id)?.ready() ?? 0) > 0 };
  }

  return {
    lineOf: (acquirerId) => {
      const line = lines.get(acquirerId);
      assert(line !== undefined, 'each acquirer has its lines');
      return line;
    },
    open(eventsOf, portOf = ({ port }) => port) {
      // All secrets are read before any line is opened: what keeps one from opening is told at the start.
      const reached = acquirers.map((acquirer) => ({
        acquirer,
        addresses: addressesOf({ ...acquirer, port: portOf(acquirer) }, parts.files),
      }));
      for (const { acquirer, addresses } of reached) {
        const of = {
          acquirer,
          dialect: dialectOf(acquirer),
          addresses,
          events: eventsOf(acquirer.id),
          ...macOf(acquirer, dialectOf(acquirer), parts),
          days: daysOf(acquirer),
        };
        links.set(acquirer.id, openLink(linkContext(of, parts)));
      }
    },
    linkTo: (acquirerId) => links.get(acquirerId),
    states: () =>
      acquirers.map(({ id, connections: each, otherSites }) => {
        const connections = each * (1 + otherSites.length);
        const link = links.get(id);
        return { acquirerId: id, connections, ready: link?.ready() ?? 0, statuses: link?.statuses() ?? [] };
      }),
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}

/** Where an acquirer is, with what its lines are protected by: each of its sites. */
export function addressesOf(
  { host, port, otherSites, tls }: Acquirer,
  files: LinesParts['files'],
): readonly [LineAddress, ...LineAddress[]] {
  const protection = tls === 'none' ? tls : { ...files.tls(tls), serverName: tls.serverName };
  return [{ host, port, tls: protection }, ...otherSites.map((site) => ({ ...site, tls: protection }))];
}

/** With which messages to an acquirer are sealed, where its dialect says so. */
export function macOf({ macKey }: Acquirer, { mac }: Dialect, { files, makeMac }: LinesParts): Pick<Reached, 'mac'> {
  if (mac === undefined || macKey === undefined) return {};
  return { mac: makeMac(mac, files.macKey(macKey, MAC_KEY_BYTES[mac.algorithm])) };
}

/** One acquirer, as a link to it needs it. */
export interface Reached {
  readonly acquirer: Acquirer;
  readonly dialect: Dialect;
  readonly addresses: readonly [LineAddress, ...LineAddress[]];
  readonly events: LinkEvents;
  readonly mac?: MessageMac;
  /** Without it, whatever it says of its days is taken and forgotten. */
  readonly days?: BusinessDays;
}

/** What a link to an acquirer is opened with. */
export function linkContext(
  { acquirer, dialect, addresses: [address, ...otherAddresses], events, days, mac }: Reached,
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
    timesOf: (at) => timesOf(at, dialect.timeZone),
    now,
    random,
    // A card must not go to a test host that is taken for an acquirer, nor a try to an acquirer.
    accepts: (hostText) => (hostText === TEST_HOST) === acquirer.testHost,
  };
}
