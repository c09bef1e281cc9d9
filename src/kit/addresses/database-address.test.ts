import { expect, test } from 'vitest';
import { databaseAddressFault } from './database-address.ts';

test.each([
  'postgres://kontor_app@127.0.0.1/kontor',
  'postgresql://kontor_app:p%40ss%2F@db.example.com:5433/kontor?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://kontor_app@[::1]/kontor',
  'postgres://kontor_app@/kontor?host=/run/postgresql',
  'postgres://kontor_app:p@ss@db/kontor',
  'postgres://kontor_app@127.0.0.1/kontor?sslmode=disable&require_auth=scram-sha-256',
])('%s can be used', (address) => expect(databaseAddressFault(address)).toBeUndefined());

test.each([
  ['db.example.com/kontor', 'of the form postgres://'],
  ['mysql://kontor@db/kontor', 'of the form postgres://'],
  ['postgres://kontor:gehe#im@db/kontor', '# as %23'],
  ['postgres://kontor:gehe/im@db/kontor', '/ as %2F'],
  ['postgres://kontor:gehe%im@db/kontor', '% as %25'],
  ['postgres://kontor:geheim@db:port/kontor', 'of the form postgres://'],
  ['postgres://kontor:geheim@one,two/kontor', 'several hosts'],
  ['postgres://kontor:geheim@one:5432,two:5433/kontor', 'several hosts'],
  ['postgres://kontor:geheim@/kontor?host=one,two', 'several hosts'],
  ['postgres://kontor:geheim@db/kontor?ssl_mode=verify-full', 'a parameter that Kontor does not know'],
  ['postgres://kontor:geheim@db/kontor?target_session_attrs=read-write', 'a parameter that Kontor does not know'],
  ['postgres://kontor:geheim@db/kontor?sslmode=verify_full', 'an unknown sslmode'],
  ['postgres://kontor:geheim@db/kontor?require_auth=password', 'an unknown require_auth'],
])('%s is refused: it %s', (address, words) => {
  expect(databaseAddressFault(address)).toContain(words);
  expect(databaseAddressFault(address)).not.toMatch(/gehe|kontor:/);
});
