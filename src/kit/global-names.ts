/** What pages and browsers could not do without. */
const BROWSER_GLOBALS = [
  'window',
  'document',
  'location',
  'self',
  'top',
  'parent',
  'history',
  'navigator',
  'fetch',
  'name',
];

/**
 * Reads names that a script may give what it defines, parted by commas, five at most. Names that a browser knows already are not
 * taken from it.
 *
 * @returns undefined where one of them cannot be used
 */
export function readGlobalNames(text: string): readonly string[] | undefined {
  const names = text.split(',').filter((name) => name !== '');
  const isPlain = (name: string) => /^[a-z][A-Za-z0-9]{2,39}$/.test(name) && !BROWSER_GLOBALS.includes(name);
  return names.length <= 5 && names.every(isPlain) ? names : undefined;
}
