import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { productionAdvice } from './production-advice.ts';

const PRODUCTION = {
  KONTOR_MODE: 'production',
  KONTOR_HOST: '0.0.0.0',
  KONTOR_TLS_TERMINATED: 'true',
  KONTOR_TRUSTED_PROXIES: '10.0.0.10',
  KONTOR_PUBLIC_URL: 'https://pay.example.com',
  KONTOR_DATABASE_URL: 'postgres://kontor_app@db.example.com/kontor?sslmode=verify-full',
  KONTOR_KEY_FILE: '/etc/kontor/keys.json',
};
const adviceFor = (environment: Readonly<Record<string, string>>) =>
  productionAdvice(readConfig({ ...PRODUCTION, ...environment }));

test('settings as the docs show them bring no advice', () => {
  expect(adviceFor({})).toEqual([]);
});

test.each([
  [{ KONTOR_PUBLIC_URL: 'http://pay.example.com' }, 'KONTOR_PUBLIC_URL begins with http'],
  [{ KONTOR_TRUSTED_PROXIES: '' }, 'KONTOR_TRUSTED_PROXIES names none'],
  [{ KONTOR_ALLOW_MEMORY_DUMPS: 'true' }, 'KONTOR_ALLOW_MEMORY_DUMPS lets'],
  [{ KONTOR_DATABASE_URL: 'postgres://kontor_app@db.example.com/kontor' }, 'without sslmode=verify-full'],
  [{ KONTOR_DATABASE_URL: 'postgres://kontor_app@10.0.0.5/kontor?sslmode=no-verify' }, 'without sslmode=verify-full'],
  [
    { KONTOR_DATABASE_URL: 'postgres://kontor_app@db.example.com/kontor?sslmode=disable' },
    'without sslmode=verify-full',
  ],
])('%j brings advice in production, and none in the sandbox', (environment, advice) => {
  expect(adviceFor(environment)).toEqual([expect.stringContaining(advice)]);
  expect(adviceFor({ ...environment, KONTOR_MODE: 'sandbox' })).toEqual([]);
});

test.each([
  'postgres://kontor_app@127.0.0.1/kontor',
  'postgres://kontor_app@[::1]/kontor',
  'postgres://kontor_app@/kontor?host=/run/postgresql',
  'embedded',
])('a database on this machine needs no certificate: %s', (url) => {
  expect(adviceFor({ KONTOR_DATABASE_URL: url })).toEqual([]);
});

test('clear text on this machine alone is not advised against', () => {
  expect(adviceFor({ KONTOR_HOST: '127.0.0.1', KONTOR_PUBLIC_URL: 'http://pay.example.com' })).toEqual([]);
});
