import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectOf, hostSide, plain, sentAndRead } from '../../test/support/issuer/dialects.ts';
import { codecFor } from './codec.rules.ts';
import { ISO93 } from './dialects/iso93.rules.ts';
import { ProtocolError } from './frames.rules.ts';
import type { Message } from './messages.types.ts';

/** All of it in one. */
const MIXED = dialectOf({
  header: {
    lengthBytes: 4,
    lengthForm: 'digits',
    countsItself: true,
    prefix: '6000010002',
    answerPrefix: '6000020001',
    bitmap: 'hex',
  },
  packing: { type: true, lengths: true, numbers: 'left' },
  fields: {
    cardNumber: { number: 2, form: 'n', lengthDigits: 2, most: 19, packed: 'right' },
    stan: { number: 11, form: 'n', length: 12, digits: 6 },
    sentAt: { number: 12, form: 'n', length: 14, as: 'century' },
    expiry: { number: 14, form: 'n', length: 4, packed: 'no' },
    actionCode: { number: 39, form: 'an', length: 2 },
    terminalId: { number: 41, form: 'ans', length: 16 },
    privateData: { number: 48, form: 'ans', lengthDigits: 3, most: 999 },
  },
  f48: ISO93.f48 && { ...ISO93.f48, tags: { eci: { tag: '01', most: 2 }, initiator: { tag: '06', most: 3 } } },
  composed: [
    {
      number: 4,
      form: 'n',
      length: 16,
      parts: [
        { name: 'currency', form: 'n', length: 3 },
        { name: 'exponent', form: 'n', length: 1 },
        { name: 'amount', form: 'n', length: 12 },
      ],
    },
    {
      number: 49,
      form: 'b',
      lengthDigits: 4,
      most: 9999,
      bits: {
        2: { name: 'cvc', form: 'n', lengthDigits: 2, most: 4, packed: 'right' },
        4: { name: 'billingPostalCode', form: 'an', lengthDigits: 2, most: 10 },
        64: { name: 'authenticationValue', form: 'b', lengthDigits: 2, most: 30, as: 'base64' },
      },
    },
    {
      number: 112,
      form: 'ans',
      lengthDigits: 3,
      most: 999,
      tags: { tagCharacters: 3, lengthDigits: 2, tags: { attemptId: { tag: 'ATT', most: 32 } } },
    },
  ],
});

describe('all of it in one dialect', () => {
  const digits = (least: number, most = least) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
  const text = (most: number) => fc.stringMatching(new RegExp(`^([ -~]{0,${most - 1}}[!-~])?$`));
  const amounts = fc.record({ currency: digits(3), exponent: digits(1), amount: digits(12) });
  const singles = fc.record(
    {
      cardNumber: digits(0, 19),
      stan: digits(6),
      sentAt: digits(12),
      expiry: digits(4),
      actionCode: text(2),
      terminalId: text(16),
    },
    { requiredKeys: [] },
  );
  const message: fc.Arbitrary<Message> = fc.record({
    type: digits(4),
    fields: fc.tuple(singles, fc.option(amounts, { nil: {} })).map(([one, other]) => ({ ...one, ...other })),
    tags: fc.record(
      {
        eci: text(2),
        initiator: text(3),
        cvc: digits(0, 4),
        billingPostalCode: text(10),
        authenticationValue: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        attemptId: text(32),
      },
      { requiredKeys: [] },
    ),
  });

  test('random messages come back as they were', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(sentAndRead(MIXED, one)).toEqual([plain(one)]);
      }),
      { numRuns: 500 },
    );
  });

  test('garbage ends in an error or a message', () => {
    const host = codecFor(hostSide(MIXED));
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), kind: fc.constantFrom(0, 1, 2) });
    fc.assert(
      fc.property(message, fc.array(change, { minLength: 1, maxLength: 8 }), (one, changes) => {
        let bytes: Buffer = codecFor(MIXED).encode(one);
        for (const { at, byte, kind } of changes) {
          const place = at % bytes.length;
          const rest = bytes.subarray(place + (kind === 1 ? 0 : 1));
          bytes = Buffer.concat([bytes.subarray(0, place), kind === 2 ? Buffer.alloc(0) : Buffer.of(byte), rest]);
        }
        try {
          host.splitter()(bytes, (frame) => void host.decode(frame));
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
