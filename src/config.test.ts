import { expect, test } from 'vitest';
import { BadSetting, readConfig } from './config.ts';

const read = (publicUrl: string) => readConfig({ KONTOR_PUBLIC_URL: publicUrl }).publicUrl;

test.each([
  ['https://pay.example.com', 'https://pay.example.com'],
  ['https://pay.example.com//', 'https://pay.example.com'],
  ['https://pay.example.com/kontor/', 'https://pay.example.com/kontor'],
  ['HTTPS://Pay.Example.com:443', 'https://pay.example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://bücher.example/a"b', 'https://xn--bcher-kva.example/a%22b'],
])('takes the public address %s in its normal form', (given, taken) => expect(read(given)).toBe(taken));

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
