/**
 * Writes into `checkout/scripts.manifest.json` and `pinned-files.rules.ts` what the files of the pages are now, after a build: the person who runs it says
 * that the change was meant. Why each is there, and who answers for it, is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = join(root, 'checkout', 'scripts.manifest.json');
const assets = JSON.parse(readFileSync(join(root, 'dist', 'checkout', 'assets.json'), 'utf8'));
const scripts = JSON.parse(readFileSync(file, 'utf8'));
const written = scripts.map((script) => ({ ...script, sha384: assets[script.path]?.integrity.replace('sha384-', '') }));
writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);

// The service holds what it reads at its start to these.
const pins = Object.entries(assets)
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(([name, { integrity }]) => `  '${name}': '${integrity}',\n`);
writeFileSync(
  join(root, 'src', 'payments', 'page-integrity', 'pinned-files.rules.ts'),
  `/** The digests of all that payers' browsers load, by name: written by scripts/write-manifest.mjs. */
export const PINNED_FILES: Readonly<Record<string, string>> = {
${pins.join('')}};
`,
);
