import type { Read } from '../../db/transaction.types.ts';
import type { Acquirer, AcquirersSetup, MutualTls } from '../../issuers/acquirers/acquirers.types.ts';
import { ACQUIRER_FILES } from '../../issuers/acquirers/file/acquirer-files.adapter.ts';
import { checkCutOvers, checkKeptCards, checkSecretFiles } from '../../issuers/acquirers/file/check-acquirers.ts';
import { eachSite, findingOf, probeAcquirer } from '../../issuers/acquirers/probe-acquirer.flow.ts';
import { describeHabits } from '../../issuers/acquirers/told/describe-habits.rules.ts';
import { selectHabits } from '../../issuers/acquirers/told/hosts.store.ts';
import { directoryLine } from '../../issuers/authentication/directory-line.adapter.ts';
import { selectDirectories } from '../../issuers/authentication/enrolled-ranges.store.ts';
import { examineThreeDS } from '../../issuers/authentication/examine-three-ds.flow.ts';
import { LEFT_OUT_DAYS } from '../../issuers/authentication/examine-three-ds.rules.ts';
import { selectLeftOut } from '../../issuers/authentication/left-out.store.ts';
import { hasNameOf, probeResults } from '../../issuers/authentication/probe-results.adapter.ts';
import { advice, type Finding, ok, problem, someOf } from '../../kit/findings.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { countHolds } from '../../vault/held-cards.store.ts';
import { LINES_PARTS } from '../acquirers.ts';
import { waitFindings } from '../time-limits.ts';

/** What the acquirers are looked at with. */
export interface AcquirersLook {
  readonly payees: readonly { readonly payeeId: PayeeId; readonly name: string }[];
  /** Whether nothing is to be connected to. */
  readonly isOffline: boolean;
  readonly read: Read;
  /** Where the service listens. */
  readonly host: string;
}

/** Looks at all acquirers of an installation: their files, their agreements, whether a line to each comes up, and 3-D
 * Secure. */
export async function examineAcquirers(setup: AcquirersSetup, look: AcquirersLook): Promise<readonly Finding[]> {
  const { acquirers } = setup;
  if (acquirers.length === 0) {
    return [advice('No acquirer is connected: card payments are refused with noacquirer. Gift cards and tokens work.')];
  }
  const habits = await selectHabits(look.read);
  const lines = look.isOffline ? [] : await Promise.all(acquirers.map((acquirer) => probe(setup, acquirer.id)));
  return [
    ...checkSecretFiles(setup, ACQUIRER_FILES, new Date()),
    ...checkKeptCards(setup),
    ...checkCutOvers(setup, new Date()),
    ...waitFindings(setup),
    ...keptCards(await countHolds(look.read)),
    ...acquirers
      .filter(({ testHost }) => testHost)
      .map(({ id }) => problem(`Acquirer ${id} is marked as a test host: no card is charged there.`)),
    ...lines.flat(),
    ...acquirers.flatMap(({ id }) => {
      const seen = habits.filter(({ acquirer }) => acquirer === id);
      return describeHabits(id, seen);
    }),
    ...payeeFindings(setup, look.payees),
    ...(await threeDSFindings(setup, look)),
  ];
}

/** How many card numbers are kept for what follows payments. */
function keptCards({ held, oldestAt }: Awaited<ReturnType<typeof countHolds>>): readonly Finding[] {
  if (oldestAt === null) return [];
  return [ok(`Cards kept for what follows their payments: ${held}, the oldest since ${oldestAt.slice(0, 10)}.`)];
}

async function threeDSFindings(setup: AcquirersSetup, { read, isOffline, host }: AcquirersLook) {
  const line = directoryLine();
  const directories = setup.threeDS === undefined ? [] : await selectDirectories(read);
  const leftOut = setup.threeDS === undefined ? [] : await selectLeftOut(read, LEFT_OUT_DAYS);
  const inText = (tls: MutualTls | 'none') => (tls === 'none' ? tls : ACQUIRER_FILES.tls(tls));
  const findings = await examineThreeDS(setup, {
    directories,
    leftOut,
    isOffline,
    probeDirectory: async (server) => line.probe({ ...server, tls: inText(server.tls) }),
    probeResults: async (server, tls) => probeResults(server, { cert: ACQUIRER_FILES.tls(tls).cert, host }),
    hasNameOf: (tls, resultsUrl) => hasNameOf(ACQUIRER_FILES.tls(tls).cert, resultsUrl),
  });
  line.close();
  return findings;
}

/**
 * Connects to each site of one acquirer, signs on, asks for an echo and signs off.
 *
 * @throws Trouble where there is none of that id
 */
export async function probe({ acquirers, dialects }: AcquirersSetup, id: string): Promise<readonly Finding[]> {
  const acquirer = acquirers.find((one) => one.id === id);
  const dialect = dialects.get(id);
  if (acquirer === undefined || dialect === undefined) throw new Trouble('There is no acquirer of this id.');
  const sites = eachSite(acquirer);
  const look = async (site: Acquirer) =>
    findingOf(site, await probeAcquirer(site, dialect, LINES_PARTS), sites.length > 1);
  return await Promise.all(sites.map(look));
}

function payeeFindings({ agreements }: AcquirersSetup, payees: AcquirersLook['payees']): readonly Finding[] {
  const known = new Set(payees.map(({ payeeId }) => payeeId));
  const agreed = new Set(agreements.filter(({ closed }) => !closed).map(({ payeeId }) => payeeId));
  const without = payees.filter(({ payeeId }) => !agreed.has(payeeId)).map(({ name }) => name);
  return [
    ...agreements
      .filter(({ payeeId }) => !known.has(payeeId))
      .map(({ id }) => problem(`Agreement ${id}: there is no payee of this id.`)),
    ...(without.length === 0 ? [] : [advice(`Without agreement, so without card payments: ${someOf(without)}.`)]),
  ];
}
