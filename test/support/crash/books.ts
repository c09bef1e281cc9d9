import { verifyLedger } from '../../../src/ledger/verification/verify-ledger.flow.ts';
import { refuteLedger } from '../issuer/accounts-ledger.ts';
import type { TestService } from '../service.ts';
import { unsaidAmounts } from './money-events.ts';

/** What `kontor ledger verify` finds wrong: each invariant that is broken, and the first row that breaks it. */
export async function brokenInvariants({
  database,
  service,
}: Pick<TestService, 'database' | 'service'>): Promise<Record<string, string>> {
  const { findings } = await verifyLedger(database.reports, service.slices.ledger.commands.ledger().invariants);
  return Object.fromEntries(
    findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [[holds, badRow.row]])),
  );
}

/** What is wrong with the books, by the service's own look at them and by one that shares no code with it; and events of money that do not say how much. */
export async function refuteBooks(kontor: TestService): Promise<readonly unknown[]> {
  return [
    ...(await refuteLedger(kontor.database)),
    ...Object.entries(await brokenInvariants(kontor)),
    ...(await unsaidAmounts(kontor.database)),
  ];
}
