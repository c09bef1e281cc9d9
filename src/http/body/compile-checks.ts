import { _, type KeywordCxt, stringify, type ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { TSchema } from 'typebox';
import { digestOfSchema } from './built-checks.ts';
import { KEYWORDS } from './keywords.ts';
import { BOUND_NAMES, type Bounds, type Keyword } from './text-keywords.ts';

/*
 * The compiler of schemas. The build uses it, and tests that run without a build; the service does not load it: it runs without
 * code that is made of texts.
 */

let compiler: Ajv2020 | undefined;

/** Compiles the check of a schema in this process. */
export function compileCheck(schema: TSchema): ValidateFunction {
  compiler ??= makeCompiler();
  return compiler.compile(schema);
}

/** The text of a CommonJS module with the checks of schemas, by the digests of these: see `built-checks.ts`. */
export function checksAsText(schemas: readonly TSchema[]): string {
  const ajv = makeCompiler({ code: { source: true, lines: true } });
  const digests = schemas.map((schema) => {
    const digest = digestOfSchema(schema);
    if (ajv.getSchema(digest) === undefined) ajv.addSchema(schema, digest);
    return digest;
  });
  const text = standalone.default(ajv, Object.fromEntries(digests.map((digest) => [digest, digest])));
  return `'use strict';\nmodule.exports = (keywords) => {\nconst exports = {};\n${text}\nreturn exports;\n};\n`;
}

function makeCompiler(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    allErrors: true,
    verbose: true,
    strict: true,
    coerceTypes: false,
    useDefaults: false,
    // To hold our own schemas against the schema of schemas is dear, and says little more than strict mode: unknown
    // keywords and values of another type are refused all the same.
    validateSchema: false,
    // What a check is called with is `this` of our own keywords.
    passContext: true,
  });
  for (const [name, keyword] of Object.entries(KEYWORDS)) addKeyword(ajv, name, keyword);
  // What they say is for the reader of the schema, and for the log of calls.
  ajv.addKeyword({ keyword: 'unscanned', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'productNumber', schemaType: 'boolean' });
  ajv.addKeyword({ keyword: 'logged', schemaType: 'boolean' });
  return ajv;
}

/** Adds a keyword whose check is made once for each of its values, where the compiled code is loaded. */
function addKeyword(ajv: Ajv2020, name: string, { type, schemaType, make }: Keyword): void {
  ajv.removeKeyword(name);
  ajv.addKeyword({
    keyword: name,
    ...(type !== undefined && { type }),
    schemaType,
    error: { message: name },
    code(context: KeywordCxt) {
      const { gen, data, schema, parentSchema } = context;
      const bounds = boundsIn(parentSchema);
      const code = _`keywords[${name}].make(${stringify(schema)}, ${stringify(bounds)})`;
      const check = gen.scopeValue('keyword', { ref: make(schema as never, bounds), key: code.toString(), code });
      context.pass(_`${check}.call(this, ${data})`);
    },
  });
}

function boundsIn(parent: Readonly<Record<string, unknown>>): Bounds {
  return Object.fromEntries(BOUND_NAMES.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]]])));
}
