import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalLines } from '../support/crash/acquirer-books.ts';
import { type Acquiring, acquiring, agreed, simulated } from '../support/issuer/acquiring.ts';

// The plan that comes along, at the test acquirer in each dialect that comes along as a file. What differs are the action codes.

const EXAMPLES = join(import.meta.dirname, '../../examples');
const KEY = '0123456789abcdeffedcba9876543210';
const DIALECTS = [
  { name: 'iso93', codes: {}, hasTotals: true },
  { name: 'iso87', codes: { '000': '00', '900': '00', '100': '05', '002': '10', '129': '34' }, hasTotals: false },
  {
    name: 'cmf2003',
    codes: { '000': '0000', '900': '0000', '100': '1004', '002': '0002', '129': '1002' },
    hasTotals: false,
  },
  { name: 'h2h93', codes: {}, hasTotals: true },
  { name: 'south', codes: { '000': '010' }, hasTotals: true },
] as const;

let kontor: Acquiring;
beforeAll(async () => {
  kontor = await acquiring();
  kontor.keep('seal', { cert: '', key: KEY });
}, 120_000);
afterAll(() => kontor.remove());

/** Tells the totals before the day ends, and those of a day on which nothing was done. */
const TOTALS = { does: 'Reconcile', expect: { actionCode: '500' } };

/** The plan as it is, but for its codes, and with totals where there are any. */
function planIn(codes: Readonly<Record<string, string>>, hasTotals: boolean): string {
  const plan = JSON.parse(readFileSync(join(EXAMPLES, 'certification.json'), 'utf8'));
  if (hasTotals) {
    plan.cases.splice(-1, 0, { name: 'Totals', steps: [TOTALS] });
    plan.cases.push({ name: 'Totals of the next day', steps: [TOTALS] });
  }
  const path = join(kontor.installation.folder, 'plan.json');
  writeFileSync(
    path,
    JSON.stringify(plan).replace(/"actionCode":"(\d{3})"/g, (_, code) => `"actionCode": "${codes[code] ?? code}"`),
  );
  return path;
}

test.each(DIALECTS)(
  'the example of a plan is as expected in $name',
  async ({ name, codes, hasTotals }) => {
    const dialect = name === 'iso93' ? name : join(EXAMPLES, `dialect-${name}.json`);
    const isSealed = name === 'h2h93';
    const journal = join(kontor.installation.folder, `${name}.ndjson`);
    const sealing = isSealed ? ['--mac-key', kontor.beside('seal.key')] : [];
    const spoken = name === 'iso93' ? [] : ['--dialect', dialect];
    const { port } = await kontor.simulate(...spoken, '--answer-ms', '2000', '--journal', journal, ...sealing);
    const others = { dialect, reconciliation: hasTotals, ...(isSealed && { macKey: 'seal.key' }) };
    kontor.configure({ acquirers: [simulated(port, others)], agreements: [agreed(kontor.payeeId)] });
    const { status, stdout, stderr } = await kontor.installation.kontor([
      ...['acquirers', 'certify', '--plan', planIn(codes, hasTotals)],
    ]);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).not.toContain('4925000000000004');
    // Each payment of a case that is not left standing is taken back in the acquirer's books.
    const changes = journalLines(journal).filter(({ event }) => event === 'books');
    expect(changes.filter(({ change }) => change === 'TakeBack').length).toBeGreaterThanOrEqual(3);
  },
  60_000,
);
