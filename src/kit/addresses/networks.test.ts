import { describe, expect, it } from 'vitest';
import { readNetworks } from './networks.ts';

const LIST = '10.0.0.7, 192.168.0.0/16,2001:db8::/32,::1';

describe('networks', () => {
  it.each(['10.0.0.7', '::ffff:10.0.0.7', '192.168.255.1', '2001:db8:ffff::1', '2001:DB8::1', '::1'])(
    'have %s',
    (address) => {
      expect(readNetworks(LIST)?.has(address)).toBe(true);
    },
  );

  it.each(['10.0.0.8', '::ffff:10.0.0.8', '192.169.0.1', '2001:db9::1', '::2', '', 'unknown', '10.0.0.7:80'])(
    'have not %s',
    (address) => {
      expect(readNetworks(LIST)?.has(address)).toBe(false);
    },
  );

  it.each(['', ' ', ','])('may be none: "%s"', (text) => {
    expect(readNetworks(text)?.isEmpty).toBe(true);
    expect(readNetworks(text)?.has('127.0.0.1')).toBe(false);
  });

  it.each([
    'proxy',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '10.0.0.1:80',
  ])('are not read from %s', (text) => {
    expect(readNetworks(`10.0.0.7,${text}`)).toBeUndefined();
  });
});
