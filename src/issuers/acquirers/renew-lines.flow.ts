import { openLink } from '../../iso8583/link/link.flow.ts';
import type { Link } from '../../iso8583/link/link.types.ts';
import { addressesOf, type LinesParts, linkContext, macOf, type Reached } from './reach-acquirer.ts';

/**
 * What came of reading certificates and keys again. `NotTaken`: no line could be signed on with them within the time, and those before
 * stay. `Trouble`: they cannot be read.
 */
export type Renewal = { readonly acquirerId: string } & (
  | { readonly outcome: 'Same' | 'Renewed' | 'NotTaken' }
  | { readonly outcome: 'Trouble'; readonly error: unknown }
);

/** Milliseconds in which lines with other certificates must be signed on, and between two looks. */
const RENEWAL_MS = 30_000;
const LOOK_MS = 50;

/** Puts lines with other certificates in the place of those before. `links` has those that take questions, by acquirer. */
export function lineRenewals(links: Map<string, Link>, parts: LinesParts) {
  const opened = new Map<string, Reached>();
  /** Lines that are not signed on yet in the place of others, and others that still finish. */
  const beside = new Set<Link>();
  let isClosing = false;
  let renewing: Promise<readonly Renewal[]> = Promise.resolve([]);

  async function renewed(of: Reached) {
    try {
      const { host, port } = of.addresses[0];
      const addresses = addressesOf({ ...of.acquirer, host, port }, parts.files);
      const now = { ...of, addresses, ...macOf(of.acquirer, of.dialect, parts) };
      return { outcome: isSame(of, now) ? 'Same' : await replaced(now) } as const;
    } catch (error) {
      return { outcome: 'Trouble', error } as const;
    }
  }
  async function replaced(of: Reached) {
    const { id, sendMs } = of.acquirer;
    const link = openLink(linkContext(of, parts));
    beside.add(link);
    for (let waitedMs = 0; link.ready() === 0 && waitedMs < RENEWAL_MS && !isClosing; waitedMs += LOOK_MS) {
      await parts.pause(LOOK_MS);
    }
    beside.delete(link);
    if (link.ready() === 0) {
      await link.close();
      return 'NotTaken' as const;
    }
    const before = links.get(id);
    links.set(id, link);
    opened.set(id, of);
    if (before === undefined) return 'Renewed' as const;
    beside.add(before);
    // What waits for a line of it is handed over by then, or given up as it would have been.
    await parts.pause(sendMs);
    await before.close();
    beside.delete(before);
    return 'Renewed' as const;
  }

  return {
    /** Notes how the lines to an acquirer were opened. */
    note: (of: Reached): void => void opened.set(of.acquirer.id, of),
    renew(): Promise<readonly Renewal[]> {
      // One after the other: the files may have changed again meanwhile.
      renewing = renewing.then(() =>
        Promise.all([...opened.values()].map(async (of) => ({ acquirerId: of.acquirer.id, ...(await renewed(of)) }))),
      );
      return renewing;
    },
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([...beside].map((link) => link.close()));
    },
  };
}

/** Whether two are spoken to by the same certificates and keys. */
function isSame(one: Reached, other: Reached): boolean {
  return (
    JSON.stringify(one.addresses) === JSON.stringify(other.addresses) && one.macKey?.reveal() === other.macKey?.reveal()
  );
}
