/**
 * Part of `npm run check`: holds what the lockfile brings, and writes the inventory of it (CycloneDX) to
 * `dist/sbom.cdx.json`, which goes into the package. Ends with status 1 and one line for each finding.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { supplyFindings } from './supply-findings.mjs';

const root = join(import.meta.dirname, '..');
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

const findings = [...supplyFindings(readJson('package.json'), readJson('package-lock.json')), ...writeInventory()];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;

/** Of all packages, because the pages are made of some that are not installed with the service; it marks which those are. */
function writeInventory() {
  const made = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) return ['node_modules is not what the lockfile says: run npm ci.'];
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), made.stdout);
  return [];
}
