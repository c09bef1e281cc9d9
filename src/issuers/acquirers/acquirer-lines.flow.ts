import { openLink } from '../../iso8583/link/link.flow.ts';
import type { BusinessDays, Link, LinkEvents } from '../../iso8583/link/link.types.ts';
import { assert } from '../../kit/assert.ts';
import type { AcquirerLine } from '../issuers.rules.ts';
import type { IssuerHost } from '../questions.types.ts';
import { type AcquirerHostContext, acquirerHost } from './acquirer-host.flow.ts';
import type { Acquirer, AcquirersSetup, LinesState } from './acquirers.types.ts';
import { addressesOf, type LinesParts, linkContext, macOf, type Trace } from './reach-acquirer.ts';
import { lineRenewals, type Renewal } from './renew-lines.flow.ts';

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
  linkTo(acquirerId: string): Pick<Link, 'ask' | 'echo'> | undefined;
  states(): readonly LinesState[];
  /**
   * Opens lines with the certificates and keys that lie in the files now. Those before take questions until a new one is signed on,
   * and then finish what is under way.
   */
  renew(): Promise<readonly Renewal[]>;
  /** No more questions; signs off, waits for what is under way, and closes. */
  close(): Promise<void>;
}

/** What hears of the lines. */
interface Hears extends Pick<AcquirerHostContext, 'late' | 'updated'> {
  readonly trace?: Trace | undefined;
}

/**
 * The lines to the acquirers of a setup.
 *
 * @param hears what is told beside: answers that were waited for no more, cards that were replaced, and what passes
 */
export function acquirerLines(
  { acquirers, dialects }: AcquirersSetup,
  parts: LinesParts,
  daysOf: (acquirer: Acquirer) => BusinessDays,
  { late, updated, trace }: Hears = {},
): AcquirerLines {
  const links = new Map<string, Link>();
  const renewals = lineRenewals(links, parts);
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
      ...(updated && { updated }),
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
          ...(trace && { trace }),
        };
        renewals.note(of);
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
    renew: renewals.renew,
    close: async () => {
      await Promise.all([renewals.close(), ...[...links.values()].map((link) => link.close())]);
    },
  };
}
