import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** A browser that runs, or why none does. */
export type Found = { readonly browser: Browser } | { readonly missing: string };

const PROJECT = join(import.meta.dirname, '..', '..', '..');
/** What Debian's packages install. They are newer than npm's and get security updates, so they come first. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** Below `node_modules`: of this project alone, never in what is packed, and gone with a fresh `npm ci`. */
const CACHE = join(PROJECT, 'node_modules', '.cache', 'kontor');
/** Names the Debian packages of the libraries that Chromium loads when it starts. */
const LIBRARIES = 'On Debian: apt-get install libnss3 libnspr4 libexpat1';

/**
 * Starts a browser: the one that `CHROME_BIN` names and no other, else Debian's, else the one that `npm ci` brings.
 * It ends with the process. Its only switch is the one that root needs: a test must see what a payer's browser would refuse.
 */
export async function startBrowser(): Promise<Found> {
  const named = process.env['CHROME_BIN'];
  if (named) return start(named);
  const reasons: string[] = [];
  for (const program of INSTALLED.filter((path) => existsSync(path))) {
    const found = await start(program);
    if ('browser' in found) return found;
    reasons.push(found.missing);
  }
  const found = await startFromPackage();
  return 'browser' in found ? found : { missing: [...reasons, found.missing].join('\n') };
}

async function start(executablePath: string, env?: Readonly<Record<string, string>>): Promise<Found> {
  try {
    const settings = { ...process.env, ...env } as Record<string, string>;
    return { browser: await chromium.launch({ executablePath, args: ['--no-sandbox'], env: settings }) };
  } catch (error) {
    return { missing: `${executablePath} does not start: ${reasonOf(error)}` };
  }
}

/** The one line of a launch's failure that says why, in place of some fifty. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const library = /loading shared libraries: (\S+):/.exec(text)?.[1];
  return library === undefined ? (text.split('\n')[0] ?? text) : `${library} is missing. ${LIBRARIES}`;
}

async function startFromPackage(): Promise<Found> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { missing: 'The Chromium of @sparticuz/chromium is for Linux on x64. Name a browser with CHROME_BIN.' };
  }
  try {
    const folder = unpacked();
    // A machine without fonts of its own gets the package's: text without any has no width.
    const ownFonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
    return await start(join(folder, 'chromium'), ownFonts);
  } catch (error) {
    return { missing: `@sparticuz/chromium cannot be unpacked: ${reasonOf(error)}` };
  }
}

/**
 * The folder of the package's browser, unpacked once (200 MB, some 3 s). The package takes any file of that name that it
 * finds in the temporary folder, so it is given an empty one; a rename puts it in place, whatever other process does the same.
 */
function unpacked(): string {
  const manifest = join(PROJECT, 'node_modules', '@sparticuz', 'chromium', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const script = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
    execFileSync(process.execPath, ['-e', script], { cwd: PROJECT, env: { ...process.env, TMPDIR: fresh } });
    writeFileSync(join(fresh, 'fonts.conf'), `<fontconfig><dir>${folder}/fonts</dir></fontconfig>\n`);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
