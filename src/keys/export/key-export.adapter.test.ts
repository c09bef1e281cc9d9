import { beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { KeyProvider } from '../keys.types.ts';
import { exportKeys } from './carry-keys.ts';
import { passphraseExport } from './key-export.adapter.ts';

const RING = new Secret('{"keys": "Grönfärg"}');
const PASSPHRASE = new Secret('correct horse Å');

/** One for all tests: to make a key of a passphrase is slow on purpose. */
let sealed: string;
beforeAll(async () => {
  sealed = await passphraseExport.seal(RING, PASSPHRASE);
});

describe('an export', () => {
  it('opens with its passphrase, however the system composes the letters', async () => {
    expect(sealed).not.toContain('keys"');
    expect((await passphraseExport.open(sealed, PASSPHRASE)).reveal()).toBe(RING.reveal());
    const decomposed = new Secret(PASSPHRASE.reveal().normalize('NFD'));
    expect((await passphraseExport.open(sealed, decomposed)).reveal()).toBe(RING.reveal());
  });

  it('does not open with another passphrase', async () => {
    await expect(passphraseExport.open(sealed, new Secret('correct horse A'))).rejects.toThrow(Trouble);
  });

  it.each(['salt', 'iv', 'tag', 'sealed'])('does not open with another %s', async (member) => {
    const parts = JSON.parse(sealed);
    const bytes = Buffer.from(parts[member], 'base64');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    const altered = JSON.stringify({ ...parts, [member]: bytes.toString('base64') });
    await expect(passphraseExport.open(altered, PASSPHRASE)).rejects.toThrow('does not open');
  });

  it.each(['', '{}', '[1]', 'null', '{"format": "kontor-key-export-1"}', '{"format": "kontor-key-export-2"}'])(
    'is not what %j is',
    async (text) => {
      await expect(passphraseExport.open(text, PASSPHRASE)).rejects.toThrow('no key export');
    },
  );

  it('is not made with a short passphrase, nor without a ring', async () => {
    const nothing = { location: '/keys.json', read: async () => undefined } as unknown as KeyProvider;
    await expect(exportKeys(nothing, passphraseExport, new Secret('eleven char'))).rejects.toThrow('inputerror');
    await expect(exportKeys(nothing, passphraseExport, PASSPHRASE)).rejects.toThrow('no key ring in /keys.json');
  });
});
