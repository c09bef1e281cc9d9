import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { assert } from '../../kit/assert.ts';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import { sha256 } from '../../kit/secret.ts';
import { KEYWORDS } from './keywords.ts';

/** The file that the build writes, in the package. */
const FILE = 'dist/checks.cjs';

type Checks = Readonly<Record<string, ValidateFunction | undefined>>;
let checks: Checks | undefined;

/** Names a schema by all that it says: a check that was built of another schema is never found. */
export function digestOfSchema(schema: TSchema): string {
  return sha256(JSON.stringify(schema)).toString('hex');
}

/** The check that the build made of a schema. */
export function builtCheck(schema: TSchema): ValidateFunction {
  checks ??= load();
  const check = checks[digestOfSchema(schema)];
  assert(check !== undefined, `the build has made a check of each schema that wiring/checked-schemas.ts lists`);
  return check;
}

function load(): Checks {
  const require = createRequire(import.meta.url);
  const make = require(fileURLToPath(new URL(FILE, PACKAGE_FOLDER))) as (keywords: typeof KEYWORDS) => Checks;
  return make(KEYWORDS);
}
