import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostSide, plain } from '../../../test/support/issuer/dialects.ts';
import { Secret } from '../../kit/secret.ts';
import { codecFor } from '../codec.rules.ts';
import type { Message } from '../messages.types.ts';
import type { Dialect } from './dialect.types.ts';
import { readDialect } from './dialect-file.rules.ts';

// What each dialect that comes along as a file looks like on the wire, by published messages and by the tables of its format.

const example = (name: string) => readDialect(JSON.parse(readFileSync(`examples/dialect-${name}.json`, 'utf8')));

function expectBytes(dialect: Dialect, message: Message, hex: string): void {
  const { lengthBytes } = dialect.header;
  expect(codecFor(dialect).encode(message).toString('hex', lengthBytes)).toBe(hex.replaceAll(' ', ''));
  const frame = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(plain(codecFor(hostSide(dialect)).decode(frame))).toEqual(plain(message));
}

describe('iso87', () => {
  const dialect = example('iso87');

  test('reads and writes a packed message that is published in many places', () => {
    const { header, composed = [], ...others } = dialect;
    const bare = { ...others, header: { ...header, prefix: '', answerPrefix: '' } };
    const message = {
      type: '0800',
      fields: { processingCode: '000000', stan: '000001', terminalId: '29110001' },
      tags: {},
    };
    expectBytes(bare, message, '0800 2020000000800000 000000 000001 3239313130303031');
    expect(composed.map(({ number }) => number)).toEqual([24, 43, 62, 63, 90, 95]);
  });

  test('has a TPDU, the network of the host, and says of a cancel what is left', () => {
    const message = {
      type: '0420',
      fields: {
        amount: '000000012500',
        stan: '000104',
        currency: '752',
        originalType: '0100',
        originalStan: '000101',
        originalTransmittedAt: '0309101528',
        originalAcquiringInstitution: '00000957800',
        originalForwardingInstitution: '00000957801',
        replacementAmount: '000000010000',
      },
      tags: {},
    };
    expectBytes(
      dialect,
      message,
      `6000030000 0420 9020010000008000 0000004200000000 000000012500 000104 0003 0752
       010000010103091015280000095780000000957801 ${Buffer.from('000000010000000000000000C00000000C00000000').toString('hex')}`.replace(
        /\s/g,
        '',
      ),
    );
  });
});

describe('cmf2003', () => {
  const dialect = example('cmf2003');

  test('signs on: a STAN of twelve digits, times with their century, an F behind an odd digit', () => {
    const fields = {
      transmittedAt: '0309101528',
      stan: '000101',
      sentAt: '260309101528',
      functionCode: '801',
      forwardingInstitution: '957801',
    };
    expectBytes(
      dialect,
      { type: '2804', fields, tags: {} },
      '2804 0230010080000000 0309101528 000000000101 20260309101528 801f 06957801',
    );
  });

  test('has currency and decimals in the amount, and its composite elements', () => {
    const message = {
      type: '2100',
      fields: {
        currency: '578',
        exponent: '2',
        amount: '000000012500',
        pointOfService: '1000501S3110',
        merchantName: 'Kontor',
        merchantCity: 'Oslo',
        merchantCountry: 'NOR',
      },
      tags: { cvc: new Secret('0123'), billingPostalCode: '0155', schemeTransactionId: '306068365741221' },
    };
    expectBytes(
      dialect,
      message,
      `2100 1000 0c00 0020 8000 5782 000000012500
       31 ${Buffer.from('306068365741221').toString('hex')} 00 0000
       04000000 00040000 10000000 24000000
       0023 5200000000000000 06 4b6f6e746f72 04 4f736c6f 4e4f52
       0020 5000000000000000 0123 ${Buffer.from('0155      ').toString('hex')}`.replace(/\s/g, ''),
    );
  });
});

describe('h2h93', () => {
  const { mac, ...dialect } = example('h2h93');

  test('reads and writes the echo of a published specification', () => {
    const fields = {
      transmittedAt: '0910152841',
      stan: '382910',
      sentAt: '090910152841',
      functionCode: '831',
      acquiringInstitution: '10031',
    };
    const text = Buffer.from('0910152841382910090910152841831' + '0510031').toString('hex');
    expectBytes(dialect, { type: '1820', fields, tags: {} }, `31383230 0230010100000000 ${text}`);
    expect(mac).toEqual({ algorithm: 'retail', bytes: 8 });
  });
});
