import { BadJson } from '../../../kit/read-json.ts';
import type { Acquirer, AcquirersFile, Agreement } from '../acquirers.types.ts';

/** The number of an institution, whether it is filled up with zeros or not. */
export function institutionOf({ acquiringInstitution }: Pick<Acquirer, 'acquiringInstitution'>): string {
  return acquiringInstitution.replace(/^0+(?=.)/, '');
}

/**
 * Refuses two entries that are one acquirer: they share institution or host, and a terminal. To the host their messages are those of
 * one terminal, and the second of two with the same number is answered as the first was: an approval of nothing.
 *
 * Numbers are counted by institution and terminal, so what follows payments under closed agreements of the same institution is no harm.
 *
 * @throws BadJson with the place of the second one
 */
export function refuseSharedTerminals({
  acquirers,
  agreements,
}: Pick<AcquirersFile, 'acquirers' | 'agreements'>): void {
  for (const [index, second] of acquirers.entries()) {
    for (const [place, first] of acquirers.slice(0, index).entries()) {
      const isOneInstitution = institutionOf(first) === institutionOf(second);
      if (!isOneInstitution && !shareHost(first, second)) continue;
      const counted = isOneInstitution ? agreements.filter(({ closed }) => !closed) : agreements;
      const terminals = terminalsAt(first, counted);
      if (!terminalsAt(second, counted).some((terminal) => terminals.includes(terminal))) continue;
      throw new BadJson(
        `acquirers[${index}]`,
        `shares ${isOneInstitution ? 'acquiringInstitution' : 'its host'} and a terminal with acquirers[${place}]: to the host both are one. ` +
          'Make them one acquirer, whose host may be a list, or give their agreements terminals of their own.',
      );
    }
  }
}

function shareHost(one: Acquirer, other: Acquirer): boolean {
  return sitesOf(one).some((site) => sitesOf(other).includes(site));
}

/** The places of an acquirer, as texts that compare. */
function sitesOf({ host, port, otherSites }: Acquirer): readonly string[] {
  return [{ host, port }, ...otherSites].map((site) => `${site.host.toLowerCase()}:${site.port}`);
}

function terminalsAt({ id }: Acquirer, agreements: readonly Agreement[]): readonly string[] {
  return agreements.filter(({ acquirer }) => acquirer === id).flatMap(({ terminalIds }) => terminalIds);
}
