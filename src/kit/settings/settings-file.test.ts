import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readSettings } from './settings-file.ts';

const read = (text: string | Buffer, mode = 0o100640, environment = {}) => {
  const found = readSettings({ bytes: Buffer.from(text), mode, environment }, parseEnv);
  return found.fault ?? Object.fromEntries(found.settings);
};

describe('a file of settings', () => {
  test.each([
    ['as it is written', 'KONTOR_PORT=8080\nKONTOR_HOST=::1\n'],
    ['with a byte order mark', '\uFEFFKONTOR_PORT=8080\nKONTOR_HOST=::1\n'],
    ['with the line ends of Windows', 'KONTOR_PORT=8080\r\nKONTOR_HOST=::1\r\n'],
    [
      'with quotes, blanks, comments and what is not ours',
      '# ours\nPATH=/bin\nexport KONTOR_PORT="8080"\n KONTOR_HOST = \'::1\' # or another\n',
    ],
  ])('%s', (_what, text) => {
    expect(read(text)).toEqual({ KONTOR_PORT: '8080', KONTOR_HOST: '::1' });
  });

  test('keeps a # within quotes, and an empty value', () => {
    expect(read('KONTOR_DATABASE_URL="postgres://a:b#c@d/e"\nKONTOR_KEY_FILE=\n')).toEqual({
      KONTOR_DATABASE_URL: 'postgres://a:b#c@d/e',
      KONTOR_KEY_FILE: '',
    });
  });

  test.each([
    [
      'a quote that is never closed',
      'KONTOR_KEY_FILE="/etc/k.json\nKONTOR_PORT=8080\n',
      /KONTOR_KEY_FILE with a quote/,
    ],
    [
      'a quote that a later line closes',
      'KONTOR_METRICS_TOKEN="a\nKONTOR_PORT=1\nKONTOR_HOST="b"\n',
      /quote that is not closed/,
    ],
    ['a setting twice', 'KONTOR_PORT=1\nKONTOR_PORT=2\n', /has KONTOR_PORT twice/],
    ['no setting', 'PORT=1\n', /no line that begins with KONTOR_/],
    ['nothing', '', /no line that begins with KONTOR_/],
    ['UTF-16', Buffer.from('\uFEFFKONTOR_PORT=1\n', 'utf16le'), /is UTF-16, and must be UTF-8/],
  ])('is refused with %s', (_what, text, words) => {
    expect(read(text)).toMatch(words);
  });

  test.runIf(process.platform !== 'win32')(
    'of production is refused where any user of the machine may change it',
    () => {
      const production = 'KONTOR_MODE=production\n';
      for (const mode of [0o100666, 0o100602]) {
        expect(read(production, mode)).toMatch(/^may be changed by any user of this machine.+: chmod o-w\.$/);
        expect(read('KONTOR_PORT=1\n', mode, { KONTOR_MODE: 'production' })).toMatch(/any user of this machine/);
        // Some systems say this of each file, and cannot take it away.
        expect(read('KONTOR_MODE=sandbox\n', mode)).toEqual({ KONTOR_MODE: 'sandbox' });
      }
      for (const mode of [0o100644, 0o100664, 0o100600]) {
        expect(read(production, mode)).toEqual({ KONTOR_MODE: 'production' });
      }
    },
  );
});
