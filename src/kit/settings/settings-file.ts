import { foreignEncoding } from '../imports/foreign-encoding.ts';

/** The settings of a file by their names, or what is wrong with it, as it goes on behind its name. */
export type ReadSettings =
  | { readonly settings: ReadonlyMap<string, string>; readonly fault: undefined }
  | { readonly fault: string };

/** What was read of a file. */
export interface SettingsFile {
  readonly bytes: Buffer;
  /** Its permissions, as the system says them. */
  readonly mode: number;
  /** What the process has beside it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads lines such as `KONTOR_PORT=8080`. What else is in the file is not ours. A file that reads otherwise than its writer
 * thought is refused: a quote that is not closed takes the lines behind it for its value, and a setting that is there twice has two.
 * So is one of production that any user of the machine may change: it names the database.
 *
 * @param parse reads all of its lines: `parseEnv` of Node
 */
export function readSettings(
  { bytes, mode, environment }: SettingsFile,
  parse: (text: string) => NodeJS.Dict<string>,
): ReadSettings {
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) return { fault: `is ${encoding}, and must be UTF-8. Save it as UTF-8.` };
  const text = new TextDecoder().decode(bytes);
  const names = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(KONTOR_\w+)[ \t]*=/gm)].map(([, name]) => name as string);
  if (names.length === 0) return { fault: 'has no line that begins with KONTOR_: is it the right file?' };
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return { fault: `has ${twice} twice. Take one of the lines out.` };
  const settings = new Map(Object.entries(parse(text)).map(([name, value]) => [name, value ?? '']));
  const torn = names.find((name) => isTorn(settings.get(name)));
  if (torn !== undefined) return { fault: `has ${torn} with a quote that is not closed on its line.` };
  const isProduction = (settings.get('KONTOR_MODE') ?? environment['KONTOR_MODE']) === 'production';
  if (isProduction && process.platform !== 'win32' && (mode & 0o002) !== 0) {
    return { fault: 'may be changed by any user of this machine. Take that right away: chmod o-w.' };
  }
  return { settings: new Map([...settings].filter(([name]) => name.startsWith('KONTOR_'))), fault: undefined };
}

/** Undefined: an earlier value has taken its line. */
function isTorn(value: string | undefined): boolean {
  return value === undefined || /[\r\n]/.test(value) || /^["'`]/.test(value);
}
