/**
 * Builds what a payer's browser loads: each script in one file without imports, each style sheet in one file, all small.
 * A file's name holds a digest of what is in it, so browsers may keep it for ever.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of `checkout/` browsers load: scripts and style sheets with what they import, and drawings as they are. */
const ENTRIES = ['page.ts', 'page.css', 'view.ts', 'icon.svg'];
/** Hexadecimal digits of the digest in a name: two contents of one name never meet. */
const NAME_DIGITS = 12;

/**
 * Writes the files, and `assets.json`, which says where each is and what a browser is to find in it.
 *
 * @param {string} root the project's folder, absolute
 * @param {string} folder where they go
 */
export async function buildCheckout(root, folder) {
  mkdirSync(folder, { recursive: true });
  const assets = {};
  for (const entry of ENTRIES) {
    const { extension, text } = await bundle(root, entry);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
    const file = `${entry.replace(/\.\w+$/, '')}-${digest}.${extension}`;
    writeFileSync(join(folder, file), text);
    assets[`${entry.replace(/\.\w+$/, '')}.${extension}`] = {
      file,
      integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
    };
  }
  writeFileSync(join(folder, 'assets.json'), `${JSON.stringify(assets, undefined, 2)}\n`);
}

/** One file of all that an entry imports. */
async function bundle(root, entry) {
  if (entry.endsWith('.svg')) {
    return { extension: 'svg', text: readFileSync(join(root, 'checkout', entry), 'utf8') };
  }
  // Loaded here, so that a question for what is built does not pay for it.
  const { build } = await import('vite');
  const { output } = await build({
    root: join(root, 'checkout'),
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: join(root, 'checkout', entry), output: entry.endsWith('.ts') ? { format: 'iife' } : {} },
    },
  });
  const built = entry.endsWith('.ts')
    ? output.find(({ type }) => type === 'chunk')?.code
    : output.find(({ fileName }) => fileName.endsWith('.css'))?.source;
  if (built === undefined) throw new Error(`Nothing was built of checkout/${entry}.`);
  return { extension: entry.endsWith('.ts') ? 'js' : 'css', text: String(built) };
}
