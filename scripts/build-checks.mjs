import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes `checks.cjs`: the check of each schema, as the compiler of schemas writes it. The service loads them in place of the
 * compiler, so it runs where no code may be made from texts.
 *
 * @param {string} folder where they go, absolute; the modules are there already
 */
export async function buildChecks(folder) {
  const load = (module) => import(pathToFileURL(join(folder, 'modules', 'src', module)).href);
  const [{ checkedSchemas }, { checksAsText }] = await Promise.all([
    load('wiring/checked-schemas.js'),
    load('http/body/compile-checks.js'),
  ]);
  writeFileSync(join(folder, 'checks.cjs'), checksAsText(await checkedSchemas()));
}
