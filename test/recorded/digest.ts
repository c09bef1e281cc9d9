import type { TestDatabase } from '../support/database/database.ts';

// What the tables of payments say, in few numbers: a migration that moves their rows is held to these before and after.

/** Each table of payments at `LAST_MIGRATION`, by what its rows are counted, and the amounts that are summed. */
const TABLES: readonly (readonly [table: string, by: string, amounts: readonly string[]])[] = [
  [
    'payment',
    `(order_id is not null)::text || ' ' || operation || ' ' || state || ' ' || currency`,
    ['amount', 'captured', 'cancelled', 'reversed', 'reserved_hold', 'reserved_reversal', 'disputed'],
  ],
  ['payment_transaction', `operation || ' ' || state`, ['amount', 'released']],
  [
    'card_payment',
    `(order_id is not null)::text || ' ' || operation || ' ' || state || ' ' || (paid_by is not null)::text || ' ' || currency`,
    ['amount', 'captured', 'cancelled', 'reversed', 'reserved_hold', 'reserved_reversal', 'disputed', 'unsettled'],
  ],
  ['card_transaction', `type || ' ' || state`, ['amount', 'vat_amount', 'released']],
  [
    'payment_order',
    `operation || ' ' || status || ' ' || currency`,
    ['amount', 'vat_amount', 'captured', 'cancelled', 'reversed', 'reserved_hold', 'reserved_reversal', 'unsettled'],
  ],
  ['order_leg', `kind || ' ' || state`, ['amount']],
  ['order_transaction', `type || ' ' || state`, ['amount', 'vat_amount']],
  ['order_part', `(own_id is not null)::text`, ['amount']],
  ['order_history', 'name', []],
  ['issuer_attempt', `subject || ' ' || state`, []],
  ['movement', `kind || ' ' || currency`, []],
  ['entry', `side || ' ' || currency`, ['amount']],
  ['settlement_item', `type || ' ' || currency`, ['amount']],
  ['dispute', `state || ' ' || currency`, ['amount']],
  ['reference', 'scope', []],
];

/** A line for each table and kind of row: how many there are, and what their amounts come to. */
export async function digestOfRows({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Promise<string> {
  const lines: string[] = [];
  for (const [table, by, amounts] of TABLES) {
    const sums = amounts.map((name) => `|| ' ${name}=' || coalesce(sum(${name}), 0)`).join(' ');
    const rows = await asAdmin(`
      select '${table} ' || (${by}) || ': ' || count(*) ${sums} as line from ${table} group by (${by}) order by 1`);
    lines.push(...rows.map(({ line }) => String(line)));
  }
  return `${lines.join('\n')}\n`;
}
