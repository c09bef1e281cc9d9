import { ACQUIRER_FILES } from '../../issuers/acquirers/acquirer-files.adapter.ts';
import type { AcquirersSetup } from '../../issuers/acquirers/acquirers.types.ts';
import { checkSecretFiles } from '../../issuers/acquirers/check-acquirers.ts';
import { findingOf, type Probed, probeAcquirer } from '../../issuers/acquirers/probe-acquirer.flow.ts';
import type { Finding } from '../../kit/findings.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { LINES_PARTS } from '../acquirers.ts';

/** Payees without agreement that doctor names; of more it tells how many. */
const PAYEES_NAMED = 5;

/** What the acquirers are looked at with. */
export interface AcquirersLook {
  readonly payees: readonly { readonly payeeId: PayeeId; readonly name: string }[];
  /** Whether no acquirer is to be connected to. */
  readonly isOffline: boolean;
}

/** Looks at all acquirers of an installation: their files, their agreements, and whether a line to each comes up. */
export async function examineAcquirers(setup: AcquirersSetup, look: AcquirersLook): Promise<readonly Finding[]> {
  const { acquirers } = setup;
  if (acquirers.length === 0) {
    return [advice('No acquirer is connected: card payments are refused with noacquirer. Gift cards and tokens work.')];
  }
  const lines = look.isOffline ? [] : await Promise.all(acquirers.map((acquirer) => probe(setup, acquirer.id)));
  return [
    ...checkSecretFiles(setup, ACQUIRER_FILES, new Date()),
    ...acquirers
      .filter(({ testHost }) => testHost)
      .map(({ id }) => problem(`Acquirer ${id} is marked as a test host: no card is charged there.`)),
    ...lines.map(({ acquirer, probed }) => findingOf(acquirer, probed)),
    ...payeeFindings(setup, look.payees),
  ];
}

/**
 * Connects to one acquirer, signs on, asks for an echo and signs off.
 *
 * @throws Trouble where there is none of that id
 */
export async function probe({ acquirers, dialects }: AcquirersSetup, id: string) {
  const acquirer = acquirers.find((one) => one.id === id);
  const dialect = dialects.get(id);
  if (acquirer === undefined || dialect === undefined) throw new Trouble('There is no acquirer of this id.');
  const probed: Probed = await probeAcquirer(acquirer, dialect, LINES_PARTS);
  return { acquirer, probed };
}

function payeeFindings({ agreements }: AcquirersSetup, payees: AcquirersLook['payees']): readonly Finding[] {
  const known = new Set(payees.map(({ payeeId }) => payeeId));
  const agreed = new Set(agreements.filter(({ closed }) => !closed).map(({ payeeId }) => payeeId));
  const without = payees.filter(({ payeeId }) => !agreed.has(payeeId)).map(({ name }) => name);
  const named = without.slice(0, PAYEES_NAMED).join(', ');
  const more = without.length > PAYEES_NAMED ? ` and ${without.length - PAYEES_NAMED} more` : '';
  return [
    ...agreements
      .filter(({ payeeId }) => !known.has(payeeId))
      .map(({ id }) => problem(`Agreement ${id}: there is no payee of this id.`)),
    ...(without.length === 0 ? [] : [advice(`Without agreement, so without card payments: ${named}${more}.`)]),
  ];
}

const advice = (text: string): Finding => ({ level: 'advice', text });
const problem = (text: string): Finding => ({ level: 'problem', text });
