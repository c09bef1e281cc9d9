import fc, { type Arbitrary } from 'fast-check';
import { importFile } from '../shop/tokens-command.ts';
import { accountLine, cardLine } from '../shop/tokens-lines.ts';
import { FUZZ_CARDS, FUZZ_MARKER, hostileText, hostileValue, PAYERS } from './fuzz-values.ts';

// Files for `kontor tokens import`: lines that are right, lines with faults, and lines that are no JSON.

const content = fc.record({
  payerReference: fc.constantFrom(...PAYERS),
  tokenType: fc.constantFrom('Payment', 'Recurrence', 'Unscheduled'),
});

const good: Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  fc.tuple(content, fc.constantFrom(...FUZZ_CARDS)).map(([one, pan]) => cardLine(0, { ...one, pan })),
  fc.tuple(content, fc.nat(999)).map(([one, index]) => accountLine(index, one)),
);

const members = [
  'payerReference',
  'tokenType',
  'instrument',
  'pan',
  'expiryDate',
  'token',
  'accountId',
  'email',
  'msisdn',
  'displayName',
  'state',
  'created',
  'more',
];

const line: Arbitrary<string> = fc.oneof(
  { arbitrary: good.map((value) => JSON.stringify(value)), weight: 3 },
  {
    arbitrary: fc
      .tuple(good, fc.dictionary(fc.constantFrom(...members), hostileValue, { maxKeys: 2 }))
      .map(([one, other]) => JSON.stringify({ ...one, ...other })),
    weight: 4,
  },
  { arbitrary: hostileText.map((text) => text.replaceAll('\n', ' ')), weight: 1 },
);

/** Imports a file that follows from the seed, and says what is wrong with what came of it. */
export async function shootImport(
  settings: Readonly<Record<string, string>>,
  { seed, lines }: { readonly seed: number; readonly lines: number },
): Promise<string[]> {
  const text = fc.sample(line, { seed, numRuns: lines }).join('\n');
  const { code, stdout, stderr, summary, rejectedText = '' } = await importFile(text, settings);
  const counted = summary && summary.imported + summary.unchanged + summary.rejected;
  return [
    ...(code === 0 || code === 1 ? [] : [`ends with ${code}`]),
    ...(/^ {4}at /m.test(stderr) ? [`has no words for an error: ${stderr.slice(0, 500)}`] : []),
    ...(summary !== undefined && counted !== summary.lines ? [`counts ${counted} of ${summary.lines} lines`] : []),
    ...(`${stdout}${stderr}${rejectedText}`.includes(FUZZ_MARKER) ? ['repeats what was refused'] : []),
  ].map((fault) => `import: ${fault}`);
}
