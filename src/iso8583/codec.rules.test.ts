import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VECTORS, type VectorName } from '../../test/support/issuer/iso8583-vectors.ts';
import { Secret } from '../kit/secret.ts';
import { codecFor } from './codec.rules.ts';
import type { Dialect } from './dialects/dialect.types.ts';
import { ISO93 } from './dialects/iso93.rules.ts';
import { FRAME_BYTES, ProtocolError } from './frames.rules.ts';
import type { Message, Value } from './messages.types.ts';

const codec = codecFor(ISO93);
const names = Object.keys(VECTORS) as VectorName[];
const bytesOf = (name: VectorName) => Buffer.from(VECTORS[name], 'hex');

/** The frames that a splitter finds in pieces. */
function framesIn(pieces: readonly Uint8Array[], splitter = codec.splitter()): Buffer[] {
  const frames: Buffer[] = [];
  for (const piece of pieces) splitter(piece, (frame) => void frames.push(frame));
  return frames;
}

function decodeOne(bytes: Buffer): Message {
  const [frame, ...others] = framesIn([bytes]);
  if (frame === undefined || others.length > 0) throw new Error('one frame was expected');
  return codec.decode(frame);
}

/** With all secrets in the open, to compare. */
function plain({ type, fields, tags }: Message) {
  const open = (values: Readonly<Partial<Record<string, Value>>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]),
    );
  return { type, fields: open(fields), tags: open(tags) };
}

describe('the golden vectors', () => {
  test.each(names)('%s is read, and written again byte for byte', (name) => {
    const message = decodeOne(bytesOf(name));
    expect(codec.encode(message).toString('hex')).toBe(VECTORS[name]);
  });

  test('an authorization says by names what its bytes say', () => {
    expect(plain(decodeOne(bytesOf('V3')))).toEqual({
      type: '1100',
      fields: {
        cardNumber: '4761739001010416',
        processingCode: '000000',
        amount: '000000012500',
        transmittedAt: '0309101528',
        stan: '000101',
        sentAt: '260309101528',
        expiry: '3912',
        pointOfService: '1000501S3110',
        functionCode: '100',
        merchantCategory: '5732',
        acquiringInstitution: '957800',
        forwardingInstitution: '957801',
        retrievalReference: '606810000101',
        terminalId: 'WEB00001',
        merchantId: '000012345678901',
        merchantPlace: 'Kontor Demo AS\\Storgata 1\\Oslo\\0155         NOR',
        currency: '578',
      },
      tags: {
        eci: '05',
        authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
        dsTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
        threeDSVersion: '2.2.0',
        transStatus: 'Y',
        initiator: 'CRF',
        cvc: '123',
        partialApproval: '0',
        attemptId: '0195799a0c107d3e8f00000000000001',
      },
    });
  });

  test('the number, the code and the authentication value are secrets', () => {
    const text = JSON.stringify(decodeOne(bytesOf('V3')));
    for (const value of ['4761739001010416', 'AAECAwQFBgcICQoLDA0ODxAREhM=', '"123"'])
      expect(text).not.toContain(value);
    expect(text).toContain('606810000101');
  });
});

describe('frames', () => {
  const stream = Buffer.concat(names.flatMap((name) => [bytesOf(name), Buffer.alloc(2)]));
  const expected = names.map((name) => bytesOf(name).subarray(2).toString('hex'));

  test('come out of one piece, with lengths of 0 between them', () => {
    expect(framesIn([stream]).map((frame) => frame.toString('hex'))).toEqual(expected);
  });

  test('come out of single bytes', () => {
    const pieces = Array.from(stream, (byte) => Uint8Array.of(byte));
    expect(framesIn(pieces).map((frame) => frame.toString('hex'))).toEqual(expected);
  });

  test('come out of any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 60 }), (lengths) => {
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1;
          pieces.push(stream.subarray(at, at + length));
          at += length;
        }
        expect(framesIn(pieces).map((frame) => frame.toString('hex'))).toEqual(expected);
      }),
    );
  });

  test('that are too long are refused before any room is made for them, after those before them', () => {
    const taken: Buffer[] = [];
    const bytes = Buffer.concat([bytesOf('V1'), Buffer.of(0xff, 0xff, 1)]);
    expect(() => codec.splitter()(bytes, (frame) => void taken.push(frame))).toThrow('frame too long');
    expect(taken).toHaveLength(1);
    const longest = Buffer.concat([Buffer.of(FRAME_BYTES >> 8, FRAME_BYTES & 255), Buffer.alloc(FRAME_BYTES)]);
    expect(framesIn([longest])).toHaveLength(1);
  });
});

describe('what is no message is told as such', () => {
  const frameOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  test.each([
    ['nothing', '', 'bytes missing'],
    ['a type with a letter', '3138 3058 0000000000000000', 'no type'],
    ['a bitmap that is cut off', '31383034 8000000000000000', 'bytes missing'],
    ['a field that is cut off', '31383034 00200000000000003030', 'bytes missing, field 11'],
    ['a byte too much', '31383034 002000000000000030303030303100', 'bytes left over'],
    ['a field that ends too early', '31383034 0000000000000001', 'bytes missing, field 64'],
    ['a length above what is there', '31383034 4000000000000000 3230', 'bytes missing, field 2'],
    ['a length that is no number', '31383034 4000000000000000 2d31', 'not digits, field 2'],
  ])('%s', (_name, hex, message) => {
    const decode = () => codec.decode(frameOf(hex));
    expect(decode).toThrow(ProtocolError);
    expect(decode).toThrow(new ProtocolError(message as never).message);
  });

  test('nor is one with a field of which not even the length is known', () => {
    const strict = codecFor({ ...ISO93, otherFields: [] });
    expect(() => strict.decode(frameOf('31383034 0000000000000001'))).toThrow('field not known, field 64');
  });

  test.each([
    ['a letter among digits', `31383034 0020000000000000${'303030303058'}`, 11],
    ['a length above the most', `31383034 4000000000000000 3230${'30'.repeat(20)}`, 2],
    ['a control character', '31383034 0000000000800000 5700423030303031', 41],
    ['a tag that is cut off', '31383034 0000000000010000 303034 30313030', 48],
    ['a tag without its value', '31383034 0000000000010000 303035 3031303032', 48],
  ])('%s makes the field unreadable, and not the frame', (_name, hex, field) => {
    const { fields, tags, notes } = codec.decode(frameOf(hex));
    expect([fields, tags, notes]).toEqual([{}, {}, { others: [], unreadable: [field], tagHabits: [] }]);
  });

  test('tags come in any order', () => {
    const { tags, notes } = codec.decode(frameOf('31383034 0000000000010000 303132 303530303159 303130303130'));
    expect([tags, notes?.tagHabits]).toEqual([{ transStatus: 'Y', eci: '0' }, ['TagOrder']]);
  });

  test.each([
    ['too long is left out', '01001005003YYY07001A', { eci: '0', schemeTransactionId: 'A' }, 'TagLength'],
    [
      'with a control character is left out',
      '01001005001\n07001A',
      { eci: '0', schemeTransactionId: 'A' },
      'TagLength',
    ],
    ['there twice counts as it came first', '01001005001Y05001N', { eci: '0', transStatus: 'Y' }, 'TagTwice'],
    ['before blanks is read', '05001Y            ', { transStatus: 'Y' }, 'TagPadding'],
    ['before zeros is read', '05001Y000000000000', { transStatus: 'Y' }, 'TagPadding'],
    ['before NULs is read', '05001Y\0\0\0\0\0\0\0\0', { transStatus: 'Y' }, 'TagPadding'],
    ['is there none of: nothing but blanks', '      ', {}, 'TagPadding'],
  ])('a tag %s, and so are those beside it', (_name, text, expected, habit) => {
    const frame = Buffer.from(`1804........${String(text.length).padStart(3, '0')}${text}`, 'latin1');
    Buffer.from('0000000000010000', 'hex').copy(frame, 4);
    const { tags, notes } = codec.decode(frame);
    expect([tags, notes]).toEqual([expected, { others: [], unreadable: [], tagHabits: [habit] }]);
  });

  test('unknown tags are left out', () => {
    const { tags } = codec.decode(frameOf('31383034 0000000000010000 303132 303530303159 5A5A30303131'));
    expect(tags).toEqual({ transStatus: 'Y' });
  });
});

/** A message that any names and values make, as an encoder may be given it. */
function anyMessage(dialect: Dialect): fc.Arbitrary<Message> {
  const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
  const text = (most: number) => fc.stringMatching(new RegExp(`^([ -~]{0,${most - 1}}[!-~])?$`));
  const named = Object.entries(dialect.fields).filter(([name]) => name !== 'privateData');
  const fields = named.map(([name, form]) => {
    if ('length' in form) return [name, form.form === 'n' ? digits(form.length, form.length) : text(form.length)];
    return [name, form.form === 'n' ? digits(0, form.most) : text(form.most)];
  });
  const tags = Object.entries(dialect.f48?.tags ?? {}).map(([name, { most }]) => [name, text(most)]);
  return fc.record({
    type: digits(4, 4),
    fields: fc.record(Object.fromEntries(fields), { requiredKeys: [] }),
    tags: fc.record(Object.fromEntries(tags), { requiredKeys: [] }),
  });
}

describe('random messages', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(anyMessage(ISO93), (message) => {
        expect(plain(decodeOne(codec.encode(message)))).toEqual(plain(message));
      }),
      { numRuns: 500 },
    );
  });

  test('come back in another dialect: other header, hexadecimal bitmap, other lengths', () => {
    const other = codecFor({
      ...ISO93,
      header: { lengthBytes: 4, countsItself: true, prefix: '6000010203', bitmap: 'hex' },
      f48: { ...ISO93.f48, lengthDigits: 2 },
    });
    fc.assert(
      fc.property(anyMessage(ISO93), (message) => {
        const [frame = Buffer.alloc(0)] = framesIn([other.encode(message)], other.splitter());
        expect(plain(other.decode(frame))).toEqual(plain(message));
      }),
      { numRuns: 200 },
    );
  });

  test('with what is not ASCII are sent with question marks', () => {
    const message = decodeOne(
      codec.encode({ type: '1100', fields: { merchantPlace: 'Blåbær\u{1F600}\n' }, tags: { payerAddress: 'ø' } }),
    );
    expect(message.fields.merchantPlace).toBe('Bl?b?r???');
    expect(message.tags.payerAddress).toBe('?');
  });

  test('in a dialect of Latin-1 are sent as they are', () => {
    const latin = codecFor({ ...ISO93, characters: 'latin1' });
    const sent = { type: '1100', fields: { merchantPlace: 'Åses Kafé\u0085' }, tags: { payerAddress: 'ø' } };
    const [frame = Buffer.alloc(0)] = framesIn([latin.encode(sent)], latin.splitter());
    expect(frame.includes(Buffer.from('Åses Kafé?', 'latin1'))).toBe(true);
    expect(latin.decode(frame).tags.payerAddress).toBe('ø');
  });
});

describe('damaged messages', () => {
  /** Whether these bytes end in messages or in the error that is meant for it; anything else is thrown. */
  function survives(bytes: Buffer): void {
    try {
      for (const frame of framesIn([bytes])) codec.encode(codec.decode(frame));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }

  test('end in an error wherever they are cut', () => {
    for (const name of names) {
      const frame = bytesOf(name).subarray(2);
      for (let length = 0; length < frame.length; length++) {
        expect(() => codec.decode(frame.subarray(0, length)), `${name} after ${length}`).toThrow(ProtocolError);
      }
    }
  });

  test('end in an error or a message: 10 000 with up to eight changes each', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), kind: fc.constantFrom(0, 1, 2) });
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(change, { minLength: 1, maxLength: 8 }), (name, changes) => {
        let bytes = bytesOf(name);
        for (const { at, byte, kind } of changes) {
          const place = at % bytes.length;
          const rest = bytes.subarray(place + (kind === 1 ? 0 : 1));
          bytes = Buffer.concat([bytes.subarray(0, place), kind === 2 ? Buffer.alloc(0) : Buffer.of(byte), rest]);
        }
        survives(bytes);
      }),
      { numRuns: 10_000 },
    );
  });

  test('have nothing of their content in the error', () => {
    const bytes = bytesOf('V3').subarray(2);
    for (let place = 0; place < bytes.length; place++) {
      const damaged = Buffer.from(bytes);
      damaged[place] = 0xff;
      try {
        codec.decode(damaged);
      } catch (error) {
        expect(String(error)).toMatch(/^ProtocolError: [a-z ]+(, field \d{1,3})?$/);
      }
    }
  });
});
