import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../support/database/embedded.ts';
import { builtCommand } from '../support/shop/tokens-command.ts';

/** A copy of the built package whose pages load other files, as another version's do. */
export interface OtherVersion {
  /** Its program. */
  readonly main: string;
  remove(): Promise<void>;
}

/** Makes one: its files differ by their last line and by their names. */
export async function otherVersion(): Promise<OtherVersion> {
  // Not os.tmpdir(): the user that PostgreSQL runs as must be able to get there.
  const folder = await mkdtemp('/tmp/kontor-version-');
  await chmod(folder, 0o711);
  const dist = join(folder, 'dist');
  await cp(dirname(builtCommand()), dist, { recursive: true });
  // The service finds what was built beside it by its package.json, wherever a link leads.
  await cp(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  for (const beside of ['migrations', 'node_modules']) await symlink(join(CHECKOUT, beside), join(folder, beside));
  await changeCheckout(join(dist, 'checkout'));
  await changePortal(join(dist, 'portal-files'));
  return { main: join(dist, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}

async function changeCheckout(folder: string): Promise<void> {
  const list = join(folder, 'assets.json');
  const assets: Record<string, { file: string; integrity: string }> = JSON.parse(await readFile(list, 'utf8'));
  for (const name of ['page.js', 'page.css']) {
    const { file } = assets[name] as { file: string };
    const changed = `${await readFile(join(folder, file), 'utf8')}\n/* another version */\n`;
    const renamed = `other-${file}`;
    await rm(join(folder, file));
    await writeFile(join(folder, renamed), changed);
    assets[name] = { file: renamed, integrity: `sha384-${createHash('sha384').update(changed).digest('base64')}` };
  }
  await writeFile(list, JSON.stringify(assets));
}

async function changePortal(folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  let html = await readFile(page, 'utf8');
  const assets = join(folder, 'assets');
  for (const file of (await readdir(assets)).filter((name) => html.includes(name))) {
    await rename(join(assets, file), join(assets, `other-${file}`));
    html = html.replaceAll(file, `other-${file}`);
  }
  await writeFile(page, html);
}
