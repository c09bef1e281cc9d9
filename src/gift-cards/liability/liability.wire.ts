import { Type } from 'typebox';
import { links, logged, operations } from '../../kit/schemas.wire.ts';

const time = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${description}: an instant, or a day, YYYY-MM-DD` }));

export const LiabilityParams = Type.Object({});
export const LiabilityQuery = Type.Object({
  asOf: time('What is owed then; at least 10 seconds ago'),
  from: time('Beginning of the period; else that of its last month'),
  to: time('End of the period, left out; else as asOf'),
});

const Minor = (description?: string) => Type.Integer(description === undefined ? {} : { description });
const Instant = Type.String({ format: 'date-time' });
const PRODUCT = {
  currency: logged(Type.String()),
  productId: logged(Type.String()),
  productName: Type.String(),
};

export const LiabilityAnswer = Type.Object(
  {
    _links: links,
    timeZone: Type.String({ description: 'The payee’s: where days and months begin' }),
    asOf: logged(Instant),
    from: Instant,
    to: Instant,
    totals: Type.Array(Type.Object({ currency: logged(Type.String()), amount: logged(Minor('Owed in all')) })),
    outstanding: Type.Array(
      Type.Object({
        ...PRODUCT,
        cards: Type.Integer({ description: 'Cards with something on them' }),
        amount: logged(Minor('Owed')),
        expiring: Type.Array(
          Type.Object({
            month: Type.String({ description: 'The cards’ last one, YYYY-MM' }),
            cards: Type.Integer(),
            amount: logged(Minor()),
          }),
        ),
      }),
      { description: 'What was owed, product by product' },
    ),
    ages: Type.Array(
      Type.Object({
        currency: logged(Type.String()),
        productId: Type.Optional(logged(Type.String({ description: 'Without it: of accounts that are no gift card' }))),
        issued: Type.String({ description: 'The month in which the cards were issued, YYYY-MM' }),
        expiring: Type.Optional(Type.String({ description: 'The cards’ last month, YYYY-MM' })),
        cards: Type.Integer(),
        amount: logged(Minor('Owed')),
      }),
      { description: 'What was owed by the months of issue and of expiry, on all stored value' },
    ),
    turnover: Type.Array(
      Type.Object({
        ...PRODUCT,
        cardsIssued: Type.Integer({ description: 'New cards, those with nothing on them too' }),
        cardsImported: Type.Integer({ description: 'From another programme' }),
        cardsReplaced: Type.Integer({ description: 'New cards in the place of lost ones' }),
        issued: Minor('With new cards'),
        imported: Minor('With cards from another programme'),
        opening: Minor('With accounts that were opened with something on them'),
        loaded: Minor('Later'),
        refunded: Minor('Of what was spent'),
        spent: Minor(),
        takenBack: Minor('Of what was issued or loaded'),
        expired: Minor('Swept'),
        merged: Minor('From other cards; below zero: to them'),
      }),
      { description: 'What moved in the period, product by product' },
    ),
    operations,
  },
  { $id: 'GiftCardLiability', description: 'Amounts are in the smallest unit of the currency' },
);
