/** From the lowest to the highest: a folder imports only what stands before it. `config` is imported as a type. */
export const ORDER = [
  'kit',
  'config',
  'db',
  'sandbox/postgres',
  'http',
  'browser-files',
  'iso8583',
  'sandbox/acquirer',
  'sandbox/three-ds',
  'keys',
  'kontor',
  'journal',
  'merchants',
  'portal-users',
  'vault',
  'tokens',
  'ledger',
  'issuers',
  'engine',
  'accounts',
  'gift-cards',
  'payments',
  'orders',
  'settlements',
  'events',
  'portal',
  'wiring',
  'sandbox',
  'main',
] as const;

export type Folder = (typeof ORDER)[number];

const LAYERS = ['types', 'tables', 'rules', 'wire', 'store', 'flow', 'http', 'cli', 'job', 'adapter'] as const;
/**
 * What a file is, by its suffix; one that is called `compose.ts` composes its slice, `serving.ts` has what of it runs while it serves, and
 * another without a suffix is a verb.
 */
export type Layer = (typeof LAYERS)[number] | 'compose' | 'serving' | 'verb';

/** Where a file of `src/` or `sandbox/` stands: everything that the import rule knows about it. */
export interface Place {
  readonly folder: Folder;
  readonly layer: Layer;
  readonly path: string;
}

/**
 * The first folder below `src/` is the slice; rooms inside it are for readers. Of the files in `src/` itself `config.ts` and
 * `kontor.types.ts` stand low, the others at the top. What `sandbox/` has is above the service, but for the database and the hosts, which know nothing of it.
 */
export function placeOf(path: string): Place | undefined {
  const [root, first = '', ...rest] = path.split('/');
  if (!path.endsWith('.ts') || path.endsWith('.test.ts')) return undefined;
  const folder = root === 'sandbox' ? sandboxFolder(first) : rest.length > 0 ? first : rootFolder(first);
  if ((root !== 'src' && root !== 'sandbox') || !isFolder(folder)) return undefined;
  return { folder, layer: layerOf(path), path };
}

export function isLower(lower: Place, higher: Place): boolean {
  return ORDER.indexOf(lower.folder) < ORDER.indexOf(higher.folder);
}

function sandboxFolder(room: string): string {
  return isFolder(`sandbox/${room}`) ? `sandbox/${room}` : 'sandbox';
}

function rootFolder(file: string): string {
  if (file === 'config.ts') return 'config';
  return file === 'kontor.types.ts' ? 'kontor' : 'main';
}

function isFolder(name: string): name is Folder {
  return (ORDER as readonly string[]).includes(name);
}

function layerOf(path: string): Layer {
  if (path.endsWith('/compose.ts')) return 'compose';
  if (path.endsWith('/serving.ts')) return 'serving';
  const suffix = /\.([a-z]+)\.ts$/.exec(path)?.[1];
  return LAYERS.find((layer) => layer === suffix) ?? 'verb';
}
