import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyFolder } from '../../../test/support/keys.ts';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { exportFiles, ringFile } from './key-file.adapter.ts';

const text = (value: string) => new Secret(value);
let folder: Awaited<ReturnType<typeof keyFolder>>;
let path: string;
let count = 0;

beforeAll(async () => {
  folder = await keyFolder();
});
beforeEach(() => {
  path = folder.path(`${count++}/keys.json`);
});
afterAll(() => folder.remove());

describe('a key file', () => {
  it('is made with its folder, for its owner to read only, and leaves nothing beside it', async () => {
    expect(await ringFile(path).read()).toBeUndefined();
    expect(await ringFile(path).create(text('ring'))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o400);
    expect((await ringFile(path).read())?.reveal()).toBe('ring');
    expect(await readdir(dirname(path))).toEqual(['keys.json']);
  });

  it('is never made in the place of another one', async () => {
    await ringFile(path).create(text('first'));
    expect(await ringFile(path).create(text('second'))).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('first');
    expect(await readdir(dirname(path))).toEqual(['keys.json']);
  });

  it('is replaced as a whole, with the same mode', async () => {
    await ringFile(path).create(text('first'));
    await ringFile(path).replace(text('second'));
    expect(await readFile(path, 'utf8')).toBe('second');
    expect((await stat(path)).mode & 0o777).toBe(0o400);
    expect(await readdir(dirname(path))).toEqual(['keys.json']);
  });

  it('that is a folder is named as one', async () => {
    await expect(ringFile(dirname(path)).read()).resolves.toBeUndefined();
    await ringFile(path).create(text('ring'));
    await expect(ringFile(dirname(path)).read()).rejects.toThrow(
      `is a folder. Name the file in it: KONTOR_KEY_FILE=${path}`,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('keeps its owner when root replaces it', async () => {
    await ringFile(path).create(text('first'));
    await chown(path, 65_534, 65_534);
    await ringFile(path).replace(text('second'));
    const { uid, gid } = await stat(path);
    expect([uid, gid]).toEqual([65_534, 65_534]);
  });

  it.each([0o440, 0o404, 0o420, 0o600 | 0o001])(
    'is refused with mode %o, and the message says what to do',
    async (mode) => {
      await ringFile(path).create(text('ring'));
      await chmod(path, mode);
      await expect(ringFile(path).read()).rejects.toThrow(Trouble);
      await expect(ringFile(path).read()).rejects.toThrow(`chmod 0400 ${path}`);
    },
  );

  it('is read where its owner may write it too', async () => {
    await ringFile(path).create(text('ring'));
    await chmod(path, 0o600);
    expect((await ringFile(path).read())?.reveal()).toBe('ring');
  });

  it('is not made where no file can be', async () => {
    await expect(ringFile('/dev/null/keys.json').create(text('ring'))).rejects.toThrow(Trouble);
    await expect(ringFile('/dev/null/keys.json').read()).rejects.toThrow(
      '/dev/null/keys.json cannot be read (ENOTDIR)',
    );
  });
});

describe('an exported ring', () => {
  it('is a new file for its owner only', async () => {
    await ringFile(path).create(text('ring'));
    const out = `${path}.sealed`;
    await exportFiles.writeNew(out, 'sealed');
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await exportFiles.read(out)).toBe('sealed');
  });

  it('does not overwrite a file', async () => {
    await ringFile(path).create(text('ring'));
    const out = `${path}.sealed`;
    await writeFile(out, 'mine');
    await expect(exportFiles.writeNew(out, 'sealed')).rejects.toThrow(Trouble);
    expect(await readFile(out, 'utf8')).toBe('mine');
  });
});
