import { describe, expect, test } from 'vitest';
import { type Networks, readNetworks } from '../../kit/addresses/networks.ts';
import { Refusal } from '../../kit/errors.ts';
import { clientOf, isLocal } from './client-address.ts';

const PROXIES = readNetworks('10.0.0.0/8, 2001:db8::/32') as Networks;
const from = (remoteAddress: string, headers: Record<string, string> = {}) => ({ headers, socket: { remoteAddress } });
const addressOf = (remoteAddress: string, headers?: Record<string, string>) =>
  clientOf(from(remoteAddress, headers), PROXIES).address;

describe('who sent a request', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['the holder of the socket', '192.0.2.1', {}, '192.0.2.1'],
    ['whatever a sender says who is not trusted', '192.0.2.1', { 'x-forwarded-for': '1.1.1.1' }, '192.0.2.1'],
    ['in either header', '192.0.2.1', { forwarded: 'for=1.1.1.1' }, '192.0.2.1'],
    ['the proxy itself where it says nothing', '10.0.0.1', {}, '10.0.0.1'],
    ['whom a proxy names', '10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    ['also as IPv4 in IPv6', '::ffff:10.0.0.1', { 'x-forwarded-for': '::ffff:192.0.2.1' }, '192.0.2.1'],
    ['and as IPv6', '2001:db8::1', { 'x-forwarded-for': '2a00::1' }, '2a00::1'],
    ['with a port', '10.0.0.1', { 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    ['with brackets and a port', '10.0.0.1', { 'x-forwarded-for': '[2a00::1]:4711' }, '2a00::1'],
    ['and not what was there before', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 192.0.2.1' }, '192.0.2.1'],
    ['nonsense though that may be', '10.0.0.1', { 'x-forwarded-for': '<script>, 192.0.2.1' }, '192.0.2.1'],
    ['through several', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1,192.0.2.1,10.1.1.1 , 10.2.2.2' }, '192.0.2.1'],
    ['a trusted one that has none before it', '10.0.0.1', { 'x-forwarded-for': '10.9.9.9' }, '10.9.9.9'],
    ['the proxy where it does not know', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, unknown' }, '10.0.0.1'],
    ['whom Forwarded names', '10.0.0.1', { forwarded: 'for=1.1.1.1, for=192.0.2.1;proto=https' }, '192.0.2.1'],
    ['through several, in IPv6', '10.0.0.1', { forwarded: 'for="[2a00::1]:80", for=10.1.1.1' }, '2a00::1'],
    ['the proxy where it hides', '10.0.0.1', { forwarded: 'for=1.1.1.1, for=_hidden' }, '10.0.0.1'],
    ['the proxy where it names the scheme alone', '10.0.0.1', { forwarded: 'for=1.1.1.1, proto=https' }, '10.0.0.1'],
    [
      "the proxy's own word beside a merchant's Forwarded",
      '10.0.0.1',
      { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '192.0.2.1' },
      '192.0.2.1',
    ],
  ])('is %s', (_what, socket, headers, address) => {
    expect(addressOf(socket, headers)).toBe(address);
  });

  test.each<Record<string, string>>([
    { 'x-forwarded-for': '' },
    { 'x-forwarded-for': '192.0.2.1,' },
    { 'x-forwarded-for': '999.0.2.1' },
    { 'x-forwarded-for': 'shop.example' },
    { 'x-forwarded-for': '1'.repeat(10_000) },
    { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'gopher' },
    { forwarded: 'for="192.0.2.1' },
    { forwarded: 'for="", for=192.0.2.1, for="' },
    { forwarded: 'for=2a00::1' },
  ])('is never guessed: %j', (headers) => {
    expect(() => addressOf('10.0.0.1', headers)).toThrow(Refusal);
    expect(addressOf('192.0.2.9', headers), 'of a stranger it is not even read').toBe('192.0.2.9');
  });

  test.each<[Record<string, string>, boolean | undefined]>([
    [{ 'x-forwarded-for': '192.0.2.1' }, undefined],
    [{ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }, true],
    [{ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'http' }, false],
    [{ 'x-forwarded-for': '192.0.2.1, 10.1.1.1', 'x-forwarded-proto': 'https, http' }, true],
    [{ 'x-forwarded-for': '1.1.1.1, 192.0.2.1, 10.1.1.1', 'x-forwarded-proto': 'http, https, http' }, true],
    [{ 'x-forwarded-for': '192.0.2.1, 10.1.1.1', 'x-forwarded-proto': 'https' }, true],
    [{ forwarded: 'for=192.0.2.1;proto=HTTPS' }, true],
  ])('spoke TLS to the outermost proxy: %j is %s', (headers, isSecure) => {
    expect(clientOf(from('10.0.0.1', headers), PROXIES)).toMatchObject({ isSecure, isProxied: true });
  });
});

describe('a program on this machine', () => {
  const sent = (headers: Record<string, string>, remoteAddress = '127.0.0.1', localAddress = '127.0.0.1') =>
    isLocal({ headers, socket: { remoteAddress, localAddress } });

  test('is told from all others', () => {
    expect(sent({ host: 'localhost' })).toBe(true);
    expect(sent({}, '::1', '::1')).toBe(true);
    expect(sent({}, '192.0.2.1')).toBe(false);
    expect(sent({}, '192.0.2.1', '192.0.2.1')).toBe(false);
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'via'])(
    'sends no %s',
    (name) => expect(sent({ [name]: '' })).toBe(false),
  );
});
