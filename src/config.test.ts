import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { BadSetting } from './kit/settings/setting-values.ts';
import { checkExposure } from './wiring/exposure.ts';

const read = (publicUrl: string) => readConfig({ KONTOR_PUBLIC_URL: publicUrl }).publicUrl;

test.each([
  ['https://pay.example.com', 'https://pay.example.com'],
  ['https://pay.example.com//', 'https://pay.example.com'],
  ['https://pay.example.com/kontor/', 'https://pay.example.com/kontor'],
  ['HTTPS://Pay.Example.com:443', 'https://pay.example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://bücher.example/a"b', 'https://xn--bcher-kva.example/a%22b'],
])('takes the public address %s in its normal form', (given, taken) => expect(read(given)).toBe(taken));

test('refuses a port of the metrics that is the port of the service', () => {
  for (const settings of [{ KONTOR_PORT: '9090', KONTOR_METRICS_PORT: '9090' }, { KONTOR_METRICS_PORT: '8080' }]) {
    expect(() => readConfig(settings)).toThrow(/^KONTOR_METRICS_PORT is the port of the service/);
  }
  expect(readConfig({ KONTOR_PORT: '0', KONTOR_METRICS_PORT: '0' }).metricsPort).toBe(0);
});

test.each([[{}], [{ KONTOR_PUBLIC_URL: 'http://pay.example.com' }]])(
  'a proxy that speaks TLS wants a public address with https: %j',
  (settings) => {
    const exposed = (given: Readonly<Record<string, string>>) => () =>
      checkExposure(readConfig({ KONTOR_TLS_TERMINATED: 'true', ...given }));
    expect(exposed(settings)).toThrow(/^KONTOR_TLS_TERMINATED=true needs KONTOR_PUBLIC_URL, with https/);
    expect(exposed({ KONTOR_PUBLIC_URL: 'https://pay.example.com' })).not.toThrow();
  },
);

test.each([
  'pay.example.com',
  'ftp://pay.example.com',
  'https://',
  'https://user@pay.example.com',
  'https://user:secret@pay.example.com',
  'https://pay.example.com/?',
  'https://pay.example.com?a=b',
  'https://pay.example.com#',
])('refuses the public address %s', (given) => {
  expect(() => read(given)).toThrow(BadSetting);
  expect(() => read(given)).toThrow(
    /^KONTOR_PUBLIC_URL must be an http or https address without user, query or fragment/,
  );
  expect(() => read(given)).not.toThrow(/secret/);
});

test('takes names that a sandbox answers to, with that of its public address; production refuses them', () => {
  const hosts = (given: Readonly<Record<string, string>>) => readConfig(given).allowedHosts;
  expect(hosts({})).toEqual([]);
  expect(hosts({ KONTOR_ALLOWED_HOSTS: 'kontor, Kontor.test', KONTOR_PUBLIC_URL: 'http://pay.test:81/x' })).toEqual([
    'kontor',
    'Kontor.test',
    'pay.test',
  ]);
  for (const wrong of ['kontor:8080', 'https://kontor', '*', 'a b', '.a', 'a..example/']) {
    expect(() => hosts({ KONTOR_ALLOWED_HOSTS: wrong }), wrong).toThrow(/^KONTOR_ALLOWED_HOSTS must be names/);
  }
  const production = { KONTOR_MODE: 'production', KONTOR_DATABASE_URL: 'embedded', KONTOR_KEY_FILE: '/keys.json' };
  expect(() => hosts({ ...production, KONTOR_ALLOWED_HOSTS: 'a' })).toThrow(/^KONTOR_ALLOWED_HOSTS is for the sandbox/);
});
