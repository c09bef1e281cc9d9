import { overPlainRows } from '../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../db/transaction.types.ts';
import { CARD_RANGE } from './vault.tables.ts';
import type { CardRange, StoredCardRange } from './vault.types.ts';

/** What the table has for a card's first digits. */
export interface MatchedCardRange {
  readonly position: number;
  readonly range: CardRange | null;
  readonly isTestNumber: boolean;
}

/**
 * For each text of first digits the range with the longest prefix that it begins with; an operator's comes before one of
 * the sandbox. Always one row for each.
 */
export async function matchCardRanges(
  transaction: Transaction,
  firstDigits: readonly string[],
): Promise<readonly MatchedCardRange[]> {
  const { rows } = await transaction.run<MatchedCardRange>(
    {
      name: 'vault-match-card-ranges',
      text: `
        select v.position::int - 1 as position, matching.*
        from unnest($1::text[]) with ordinality as v (digits, position)
        cross join lateral (
          select
            (array_agg(
              jsonb_build_object(
                'brand', brand, 'cardType', card_type, 'holderType', holder_type,
                'issuerName', issuer_name, 'countryCode', country_code
              ) order by length(prefix) desc, source = 'operator' desc
            ))[1] as range,
            coalesce(bool_or(source = 'sandbox'), false) as "isTestNumber"
          from card_range
          where prefix = any (array[
            left(v.digits, 1), left(v.digits, 2), left(v.digits, 3), left(v.digits, 4),
            left(v.digits, 5), left(v.digits, 6), left(v.digits, 7), left(v.digits, 8)
          ])
        ) matching`,
    },
    [firstDigits],
  );
  return rows;
}

/** Removes all ranges of a source. */
export async function deleteCardRanges(transaction: Transaction, source: StoredCardRange['source']): Promise<number> {
  const { count } = await transaction.run(
    { name: 'vault-delete-card-ranges', text: 'delete from card_range where source = $1' },
    [source],
  );
  return count;
}

const INSERT_CARD_RANGES = overPlainRows<StoredCardRange>({
  name: 'vault-insert-card-ranges',
  columns: CARD_RANGE.added,
  text: ({ names, rows }) => `
    insert into card_range (${names})
    select v.*
    from ${rows}
    on conflict (prefix, source) do nothing
    returning prefix`,
});

/** Adds ranges; one whose prefix its source has already is left out. @returns the prefixes that were added */
export async function insertCardRanges(
  transaction: Transaction,
  source: StoredCardRange['source'],
  ranges: readonly (CardRange & { readonly prefix: string })[],
): Promise<ReadonlySet<string>> {
  const inserted = await transaction.run<{ prefix: string }>(
    INSERT_CARD_RANGES,
    INSERT_CARD_RANGES.values(ranges.map((range) => ({ ...range, source }))),
  );
  return new Set(inserted.rows.map((row) => row.prefix));
}

/** The ranges that follow one in the order of prefix and source. */
export async function selectCardRanges(
  transaction: Transaction,
  { after, limit }: { readonly after: Pick<StoredCardRange, 'prefix' | 'source'> | undefined; readonly limit: number },
): Promise<readonly StoredCardRange[]> {
  const { rows } = await transaction.run<StoredCardRange>(
    {
      name: 'vault-select-card-ranges',
      text: `
        select ${CARD_RANGE.columns}
        from card_range
        where (prefix, source) > ($1::text, $2::text)
        order by prefix, source
        limit $3`,
    },
    [after?.prefix ?? '', after?.source ?? '', limit],
  );
  return rows;
}

/** Makes one load of ranges wait for another. */
export async function lockCardRanges(transaction: Transaction): Promise<void> {
  await transaction.run(
    { name: 'vault-lock-card-ranges', text: 'lock table card_range in share row exclusive mode' },
    [],
  );
}

/** Up to ten prefixes of an operator's ranges that begin like this one, or that this one begins like. */
export function selectPrefixesLike(
  transaction: Transaction,
  prefix: string,
): Promise<Rows<{ readonly prefix: string }>> {
  return transaction.run<{ readonly prefix: string }>(
    {
      name: 'vault-select-prefixes-like',
      text: `
        select distinct prefix
        from card_range
        where source = 'operator' and (starts_with(prefix, $1::text) or starts_with($1::text, prefix))
        limit 10`,
    },
    [prefix],
  );
}
