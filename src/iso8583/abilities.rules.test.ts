import { describe, expect, test } from 'vitest';
import { dialectOf, plain, sentAndRead } from '../../test/support/issuer/dialects.ts';
import { Secret } from '../kit/secret.ts';
import { codecFor } from './codec.rules.ts';
import type { ComposedField, Dialect } from './dialects/dialect.types.ts';
import { ISO93 } from './dialects/iso93.rules.ts';
import { ProtocolError } from './frames.rules.ts';
import { messageMac } from './mac.adapter.ts';
import type { Message } from './messages.types.ts';

// What a dialect can say beyond iso93: each alone, and all of them in one.

const BCD = { type: true, lengths: true, numbers: 'left' } as const;

function hexOf(dialect: Dialect, message: Partial<Message>): string {
  const bytes = codecFor(dialect).encode({ type: '0800', fields: {}, tags: {}, ...message });
  return bytes.subarray(dialect.header.lengthBytes).toString('hex');
}

describe('lengths of frames in four digits', () => {
  const header = { ...ISO93.header, lengthBytes: 4, lengthForm: 'digits' } as const;
  const dialect: Dialect = { ...ISO93, header };

  test('are those of a published host-to-host specification', () => {
    // An echo of 50 bytes, with the acquiring institution of its last field.
    const hex =
      '303035303138323002300101000000003039313031353238343133383239313030393039313031353238343138333130353130303331';
    const frames: Buffer[] = [];
    codecFor(dialect).splitter()(Buffer.from(hex, 'hex'), (frame) => void frames.push(frame));
    const [message] = frames.map((frame) => codecFor(dialect).decode(frame));
    expect(message).toEqual({
      type: '1820',
      fields: {
        transmittedAt: '0910152841',
        stan: '382910',
        sentAt: '090910152841',
        functionCode: '831',
        acquiringInstitution: '10031',
      },
      tags: {},
    });
    expect(message && codecFor(dialect).encode(message).toString('hex')).toBe(hex);
  });

  test.each(['00x0', ' 012', '-012', '1e12'])('that are none end the line: %s', (text) => {
    expect(() => codecFor(dialect).splitter()(Buffer.from(text), () => undefined)).toThrow('not digits');
  });

  test('of 0000 keep the line open', () => {
    const frames: Buffer[] = [];
    codecFor(dialect).splitter()(Buffer.from('000000041804'), (frame) => void frames.push(frame));
    expect(frames.map(String)).toEqual(['1804']);
  });
});

describe('packed', () => {
  test('type, lengths and digits are half as long', () => {
    const dialect = dialectOf({
      packing: BCD,
      fields: {
        cardNumber: { number: 2, form: 'n', lengthDigits: 2, most: 19, packed: 'right' },
        currency: { number: 49, form: 'n', length: 3 },
        additionalText: { number: 44, form: 'ans', lengthDigits: 2, most: 25 },
      },
    });
    const fields = { cardNumber: new Secret('492500000000012'), currency: '578', additionalText: 'OK' };
    expect(hexOf(dialect, { fields })).toBe(`0800${'4000000000108000'}15492500000000012f024f4b0578`);
    expect(sentAndRead(dialect, { type: '0800', fields, tags: {} })).toEqual([
      plain({ type: '0800', fields, tags: {} }),
    ]);
  });

  test('digits that are filled up with a zero are read where others have an F', () => {
    const dialect = dialectOf({
      packing: BCD,
      fields: { stan: { number: 2, form: 'n', lengthDigits: 2, most: 19, packed: 'right' } },
    });
    const codec = codecFor(dialect);
    for (const filler of ['0', 'f']) {
      expect(codec.decode(Buffer.from(`0800400000000000000003123${filler}`, 'hex')).fields.stan).toBe('123');
    }
    expect(codec.decode(Buffer.from('0800400000000000000003a23f', 'hex')).notes?.unreadable).toEqual([2]);
  });

  test('a field that is not needed is read past, packed or not', () => {
    const fields = { stan: { number: 11, form: 'n', length: 6 } } as const;
    const otherFields = [
      { number: 5, length: 6 },
      { number: 6, lengthDigits: 2, packed: true },
      { number: 7, lengthDigits: 2 },
    ];
    const { notes, ...message } = codecFor(dialectOf({ packing: BCD, fields, otherFields })).decode(
      Buffer.from('0810 0e20000000000000 000000012500 03578f 03414243 000007'.replaceAll(' ', ''), 'hex'),
    );
    expect(message).toEqual({ type: '0810', fields: { stan: '000007' }, tags: {} });
    expect(notes?.others).toEqual([5, 6, 7]);
  });

  test('a length that is none ends the line', () => {
    const dialect = dialectOf({ packing: BCD, fields: { stan: { number: 2, form: 'n', lengthDigits: 2, most: 19 } } });
    expect(() => codecFor(dialect).decode(Buffer.from('080040000000000000000f123f', 'hex'))).toThrow(ProtocolError);
  });

  test('a repeat has another type and nothing else', () => {
    const dialect = dialectOf({ packing: BCD, fields: { stan: { number: 11, form: 'n', length: 6 } } });
    const codec = codecFor(dialect);
    const first = codec.encode({ type: '0420', fields: { stan: '000007' }, tags: {} });
    expect(codec.repeatOf(first)).toEqual(codec.encode({ type: '0421', fields: { stan: '000007' }, tags: {} }));
  });
});

test('addresses change places in answers: another one ends the line', () => {
  const header = { ...ISO93.header, prefix: '6000030000', answerPrefix: '6000000003' };
  const dialect = dialectOf({ header, fields: { stan: { number: 11, form: 'n', length: 6 } } });
  const message = { type: '0800', fields: { stan: '000001' }, tags: {} };
  const asked = codecFor(dialect).encode(message).subarray(2);
  expect(asked.toString('hex')).toMatch(/^6000030000/);
  expect(() => codecFor(dialect).decode(asked)).toThrow('another prefix');
  expect(sentAndRead(dialect, message)).toEqual([plain(message)]);
});

describe('a field of parts', () => {
  const original: ComposedField = {
    number: 90,
    form: 'n',
    length: 42,
    parts: [
      { name: 'originalType', form: 'n', length: 4 },
      { name: 'originalStan', form: 'n', length: 6 },
      { name: 'originalTransmittedAt', form: 'n', length: 10 },
      { name: 'originalAcquiringInstitution', form: 'n', length: 11 },
      { literal: '00000000000', form: 'n', length: 11 },
    ],
  };
  const fields = {
    originalType: '0100',
    originalStan: '000101',
    originalTransmittedAt: '0309101528',
    originalAcquiringInstitution: '00000957800',
  };

  test('is the original data elements of 1987, packed as one', () => {
    const dialect = dialectOf({ packing: BCD, composed: [original] });
    expect(hexOf(dialect, { fields })).toBe(
      `0800${'8000000000000000'}${'0000004000000000'}010000010103091015280000095780000000000000`,
    );
    expect(sentAndRead(dialect, { type: '0420', fields, tags: {} })).toEqual([
      plain({ type: '0420', fields, tags: {} }),
    ]);
  });

  test('is there where all of its values are', () => {
    const dialect = dialectOf({ composed: [original] });
    const { originalStan: _, ...others } = fields;
    expect(hexOf(dialect, { fields: others })).toBe(`30383030${'0'.repeat(16)}`);
  });

  test('has its own blanks, and what there is no room for may be cut off', () => {
    const dialect = dialectOf({
      composed: [
        {
          number: 43,
          form: 'ans',
          length: 12,
          parts: [
            { name: 'merchantName', form: 'ans', length: 5, cut: true },
            { name: 'merchantCity', form: 'ans', length: 5 },
            { name: 'merchantCountry', form: 'an', length: 2, codes: { NOR: 'NO' } },
          ],
        },
      ],
    });
    const place = { merchantName: 'Kontor Demo', merchantCity: 'Oslo', merchantCountry: 'NOR' };
    expect(Buffer.from(hexOf(dialect, { fields: place }).slice(24), 'hex').toString()).toBe('KontoOslo NO');
    expect(sentAndRead(dialect, { type: '0100', fields: place, tags: {} })[0]?.fields).toEqual({
      ...place,
      merchantName: 'Konto',
    });
    expect(() => hexOf(dialect, { fields: { ...place, merchantCity: 'Kristiansand' } })).toThrow(
      'composed[0].merchantCity has room for 5 characters, and 12 are needed',
    );
    expect(() => hexOf(dialect, { fields: { ...place, merchantCountry: 'SWE' } })).toThrow(
      'composed[0].merchantCountry has no code for a value that is needed',
    );
  });

  test('that is torn is unreadable, and the frame is not', () => {
    const dialect = dialectOf({
      composed: [
        { number: 90, form: 'n', lengthDigits: 2, most: 42, parts: 'parts' in original ? original.parts : [] },
      ],
    });
    const { notes, fields: read } = codecFor(dialect).decode(
      Buffer.from(`0800........${'........'}041234`, 'latin1').fill(
        Buffer.from('80000000000000000000004000000000', 'hex'),
        4,
        20,
      ),
    );
    expect([notes?.unreadable, read]).toEqual([[90], {}]);
  });
});

describe('a field of bits', () => {
  const dialect = dialectOf({
    packing: { type: true, lengths: true, numbers: 'right' },
    composed: [
      {
        number: 49,
        form: 'b',
        lengthDigits: 4,
        most: 9999,
        bits: {
          2: { name: 'cvc', form: 'n', length: 4 },
          4: { name: 'billingPostalCode', form: 'an', length: 10 },
          5: { name: 'billingStreet', form: 'ans', length: 40, cut: true },
          6: { name: 'addressResult', form: 'an', length: 1 },
          9: { literal: 'no', form: 'an', length: 2 },
        },
      },
    ],
  });

  test('says by a bitmap of its own what it has', () => {
    const tags = { cvc: new Secret('1234'), billingPostalCode: '0155' };
    expect(hexOf(dialect, { tags })).toBe(
      `0800${'0000000000008000'}0022${'5080000000000000'}1234${Buffer.from('0155      no').toString('hex')}`,
    );
    expect(sentAndRead(dialect, { type: '0100', fields: {}, tags })).toEqual([
      plain({ type: '0100', fields: {}, tags }),
    ]);
  });

  test('is not there for what is always the same', () => {
    expect(hexOf(dialect, {})).toBe(`0800${'0'.repeat(16)}`);
  });

  test.each([
    ['a bit that is not known', '0008' + '8000000000000000'],
    ['a part that is cut off', '0009' + '400000000000000012'],
    ['bytes left over', '0009' + '000000000000000012'],
    ['a bitmap that is cut off', '0004' + '40000000'],
  ])('with %s is unreadable, and the frame is not', (_name, hex) => {
    const { notes } = codecFor(dialect).decode(Buffer.from(`01000000000000008000${hex}`, 'hex'));
    expect(notes?.unreadable).toEqual([49]);
  });
});

test('a stamp with its century, and a value of which bytes are sent', () => {
  const dialect = dialectOf({
    fields: {
      sentAt: { number: 12, form: 'n', length: 14, as: 'century' },
      stan: { number: 11, form: 'n', length: 12, digits: 6 },
    },
    composed: [
      {
        number: 34,
        form: 'b',
        length: 20,
        parts: [{ name: 'authenticationValue', form: 'b', length: 20, as: 'base64' }],
      },
    ],
  });
  const message = {
    type: '2100',
    fields: { sentAt: '260309101528', stan: '000101' },
    tags: { authenticationValue: new Secret('AAECAwQFBgcICQoLDA0ODxAREhM=') },
  };
  const hex = hexOf(dialect, message);
  expect(hex).toContain(Buffer.from('00000000010120260309101528').toString('hex'));
  expect(hex).toContain('000102030405060708090a0b0c0d0e0f10111213');
  expect(sentAndRead(dialect, message)).toEqual([plain(message)]);
  const other = Buffer.from(`2100${'\0'.repeat(8)}10000000010119260309101528`, 'latin1');
  other.set([0, 0x30], 4);
  expect(codecFor(dialect).decode(other).notes?.unreadable).toEqual([11, 12]);
});

describe('a message authentication code', () => {
  const sealing = { algorithm: 'retail', bytes: 8 } as const;
  const mac = messageMac(sealing, new Secret('0123456789abcdeffedcba9876543210'));
  const dialect = { ...ISO93, mac: sealing };
  const codec = codecFor(dialect, mac);
  const short = { type: '1804', fields: { stan: '000001' }, tags: {} };
  const long = { type: '1520', fields: { stan: '000001', salesNumber: '0000000001' }, tags: {} };

  test.each([
    [short, '0020000000000001'],
    [long, '80200000000000000010000000000001'],
  ])('is the last field, 64 or 128', (message, bitmap) => {
    const bytes = codec.encode(message);
    expect(bytes.toString('hex', 6, 6 + bitmap.length / 2)).toBe(bitmap);
    expect(bytes.subarray(-8)).toEqual(mac.of(bytes.subarray(2, -8)));
    expect(codec.decode(bytes.subarray(2))).toEqual(message);
  });

  test('is right in a repeat', () => {
    const message = { ...short, type: '1420' };
    expect(codec.repeatOf(codec.encode(message))).toEqual(codec.encode({ ...message, type: '1421' }));
  });

  test('that is missing, or that of other bytes, ends the line', () => {
    const bytes = codec.encode(short).subarray(2);
    for (let place = 0; place < bytes.length; place++) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      expect(() => codec.decode(damaged)).toThrow(new ProtocolError('other MAC').message);
    }
    expect(() => codec.decode(codecFor(ISO93).encode(short).subarray(2))).toThrow('other MAC');
    expect(() => codec.decode(Buffer.alloc(3))).toThrow('other MAC');
  });
});
