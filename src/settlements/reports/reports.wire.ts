import { Type } from 'typebox';
import { logged, operations } from '../../kit/schemas.wire.ts';

/** All seven columns with commas between. */
const REPORT_COLUMNS_CHARACTERS = 42;

const Minor = (description: string) => logged(Type.Integer({ description }));
const Text = logged(Type.String());
const dayOf = (description: string) => Type.String({ pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$', description });

export const ReportQuery = Type.Object({
  from: dayOf('the first day, YYYY-MM-DD, where the payee is'),
  to: dayOf('the last day, YYYY-MM-DD; where it is not over, the answer ends with what is known'),
});

const BOOKED_FOR = {
  currency: Text,
  agreement: Type.Optional(logged(Type.String({ description: 'With an acquirer, or the name of another issuer' }))),
  product: Type.Optional(
    logged(Type.String({ description: 'Of gift cards; without it and without an agreement: of other accounts' })),
  ),
};

const COLUMNS = {
  opening: Minor('Before the first day'),
  debit: Minor('What was taken from the side in the period'),
  credit: Minor('What was added to it'),
  closing: Minor('After the last day: opening less debit plus credit'),
};

const PERIOD = {
  timeZone: Text,
  from: logged(Type.String({ format: 'date-time' })),
  to: logged(Type.String({ format: 'date-time', description: 'End of the period, left out' })),
};

export const TrialBalanceAnswer = Type.Object(
  {
    trialBalance: Type.Object({
      id: Type.String({ description: 'Relative address' }),
      ...PERIOD,
      lines: Type.Array(
        Type.Object(
          {
            side: logged(Type.Enum(['Available', 'Held', 'Clearing', 'Funding', 'Issuer', 'Breakage', 'Conversion'])),
            ...BOOKED_FOR,
            ...COLUMNS,
          },
          { $id: 'TrialBalanceLine' },
        ),
        { description: 'Above 0: credit, what the payee or holders of cards are owed' },
      ),
      totals: Type.Array(Type.Object({ currency: Text, ...COLUMNS }), {
        description: 'All sides together: opening and closing are 0, and as much is debited as credited',
      }),
      ties: Type.Array(
        Type.Object(
          {
            what: logged(
              Type.Enum(['CardBalances', 'OpenItems'], {
                description:
                  'CardBalances: what is on accounts. OpenItems: sales and refunds that acquirers have not paid',
              }),
            ),
            ...BOOKED_FOR,
            closing: Minor('Of the ledger, after the last day'),
            since: Minor('Booked since'),
            counted: Minor('What is counted there now, with the sign of the ledger'),
            difference: Minor('Closing and since less counted: 0, or the books are wrong'),
          },
          { $id: 'TrialBalanceTie' },
        ),
      ),
    }),
    operations,
  },
  { $id: 'TrialBalance', description: 'Amounts are in the smallest unit of the currency' },
);

const MinorOfDays = Type.Integer({ description: 'Sales less refunds' });

export const BusinessDaysAnswer = Type.Object({
  timeZone: Type.String(),
  lines: Type.Array(
    Type.Object(
      {
        day: Type.Union([Type.String(), Type.Null()], {
          description: 'The business day; null: none has collected it yet',
        }),
        calendarDay: Type.String({ description: 'Where the payee is' }),
        agreement: Type.Union([Type.String(), Type.Null()]),
        currency: Type.String(),
        sales: Type.Integer(),
        salesAmount: Type.Integer(),
        refunds: Type.Integer(),
        refundsAmount: Type.Integer(),
        net: MinorOfDays,
        within: Type.Enum(['Both', 'BusinessDay', 'CalendarDay'], {
          description: 'Which of both days is in the period',
        }),
      },
      { $id: 'BusinessDayLine' },
    ),
  ),
  totals: Type.Array(
    Type.Object(
      {
        currency: Type.String(),
        both: MinorOfDays,
        businessDayAlone: MinorOfDays,
        calendarDayAlone: MinorOfDays,
        byBusinessDay: MinorOfDays,
        byCalendarDay: MinorOfDays,
      },
      { $id: 'BusinessDayTotal' },
    ),
  ),
});

const SalesColumn = Type.Enum(['day', 'shop', 'site', 'terminal', 'vatRate', 'means', 'brand']);

export const SalesQuery = Type.Object({
  ...ReportQuery.properties,
  by: Type.Optional(
    Type.String({
      pattern: '^(day|shop|site|terminal|vatRate|means|brand)(,(day|shop|site|terminal|vatRate|means|brand)){0,6}$',
      maxLength: REPORT_COLUMNS_CHARACTERS,
      description:
        'What lines are told apart by, beside their currency: day, shop, site, terminal, vatRate, means, brand; else by day',
    }),
  ),
  shop: Type.Optional(Type.String({ maxLength: 100, description: 'Only of this payeeName or merchantName' })),
  site: Type.Optional(Type.String({ maxLength: 40, description: 'Only of this siteId' })),
  terminal: Type.Optional(Type.String({ maxLength: 16, description: 'Only of this terminal' })),
});

const SALES = {
  currency: Text,
  sales: logged(Type.Integer({ description: 'How many captures and purchases' })),
  salesAmount: Minor('What they took'),
  salesVat: Minor('VAT of that'),
  refunds: logged(Type.Integer({ description: 'How many reversals' })),
  refundsAmount: Minor('What they gave back'),
  refundsVat: Minor('VAT of that'),
  net: Minor('Sales less refunds'),
  fees: Minor('Below 0: what acquirers have kept of them, as far as their files have come'),
};
const name = (description: string) => Type.Optional(Type.String({ description }));

export const SalesAnswer = Type.Object(
  {
    salesReport: Type.Object({
      id: Type.String({ description: 'Relative address' }),
      ...PERIOD,
      by: Type.Array(logged(SalesColumn)),
      lines: Type.Array(
        Type.Object(
          {
            day: Type.Optional(logged(Type.String({ format: 'date', description: 'Where the payee is' }))),
            shop: name('The payeeName of the payment or order, or the merchantName'),
            site: name('The siteId of the order'),
            terminal: name('The terminal that the acquirer knows, or the terminalId'),
            vatRate: name('VAT of the amount without it, in percent with one decimal'),
            means: name('creditcard, giftcard or prepaid'),
            brand: name('Of the card'),
            ...SALES,
          },
          { $id: 'SalesLine' },
        ),
        { description: 'A member that nothing is known of, or that lines are not told apart by, is not there' },
      ),
      totals: Type.Array(Type.Object(SALES, { $id: 'SalesTotal' })),
    }),
    operations,
  },
  { $id: 'SalesReport', description: 'Amounts are in the smallest unit of the currency' },
);
