import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../kit/secret.ts';
import { identityOf, parseContent, printContent } from './content.rules.ts';
import type { InstrumentContent } from './vault.types.ts';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const secret = text.map((value) => new Secret(value));
const maybe = fc.option(secret, { nil: undefined });
const content: fc.Arbitrary<InstrumentContent> = fc.oneof(
  fc.record({ kind: fc.constant('Card' as const), number: secret }),
  fc.record({ kind: fc.constant('BankAccount' as const), accountId: secret }),
  fc.record({
    kind: fc.constant('Invoice' as const),
    instrument: text,
    payerReference: text,
    email: maybe,
    msisdn: maybe,
    zipCode: maybe,
  }),
  fc.record({ kind: fc.constant('Other' as const), instrument: text, payerReference: text, parameters: secret }),
);
/** Everything of it in the clear, to be compared. */
const bare = (value: InstrumentContent) =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, field instanceof Secret ? field.reveal() : field]),
  );

describe('what an instrument consists of', () => {
  it('is the same when it is read again', () => {
    fc.assert(
      fc.property(content, (value) => {
        expect(bare(parseContent(value.kind, printContent(value)))).toEqual(bare(value));
      }),
    );
  });

  it('has the same identity as another one only where it is the same', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        const isSame = JSON.stringify(bare(one)) === JSON.stringify(bare(other));
        // A card's number is digits and nothing else, so it is never what another kind's identity is.
        fc.pre(one.kind !== 'Card' || /^\d+$/.test(one.number.reveal()) || other.kind === 'Card');
        fc.pre(other.kind !== 'Card' || /^\d+$/.test(other.number.reveal()) || one.kind === 'Card');
        expect(identityOf(one).reveal() === identityOf(other).reveal()).toBe(isSame);
      }),
    );
  });

  it('does not let one field of an invoice flow into the next', () => {
    const invoice = (email: string | undefined, msisdn: string | undefined): InstrumentContent => ({
      kind: 'Invoice',
      instrument: 'Invoice-A',
      payerReference: 'p',
      email: email === undefined ? undefined : new Secret(email),
      msisdn: msisdn === undefined ? undefined : new Secret(msisdn),
      zipCode: undefined,
    });
    const [moved, split] = [invoice('1', undefined), invoice(undefined, '1')];
    expect(identityOf(moved).reveal()).not.toBe(identityOf(split).reveal());
    expect(identityOf(invoice('1","2', undefined)).reveal()).not.toBe(identityOf(invoice('1', '2')).reveal());
  });

  it('is the whole number of a card and nothing more', () => {
    expect(identityOf({ kind: 'Card', number: new Secret('4925000000000004') }).reveal()).toBe('4925000000000004');
  });
});
