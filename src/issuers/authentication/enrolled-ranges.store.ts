import { overPlainRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { DirectoryServer } from '../acquirers/acquirers.types.ts';
import type { DirectoryState, EnrolledRange } from './three-ds.types.ts';

type Asked = Pick<DirectoryServer, 'scheme' | 'url'>;

/** A directory server as it was last asked for its cards. */
export interface AskedDirectory {
  readonly serialNumber: string | null;
}

/**
 * Notes that a directory server is asked for its cards, unless any instance has asked it so many seconds ago, or has its
 * answer for less than so many; one with another address than before is asked in any case.
 *
 * @returns what we have of it; undefined where it is not to be asked
 */
export async function claimPreparation(
  transaction: Transaction,
  { scheme, url }: Asked,
  seconds: { readonly sinceAsked: number; readonly sincePrepared: number },
): Promise<AskedDirectory | undefined> {
  const { rows } = await transaction.run<AskedDirectory>(
    {
      name: 'three-ds-claim-preparation',
      text: `
        insert into three_ds_directory as known (scheme, url, asked_at)
        values ($1, $2, kontor_now())
        on conflict (scheme) do update
          set url = excluded.url, asked_at = excluded.asked_at,
            serial_number = case when known.url = excluded.url then known.serial_number end,
            prepared_at = case when known.url = excluded.url then known.prepared_at end
          where known.url <> excluded.url
            or (known.asked_at <= kontor_now() - $3::integer * interval '1 second'
              and (known.prepared_at is null or known.prepared_at <= kontor_now() - $4::integer * interval '1 second'))
        returning serial_number as "serialNumber"`,
    },
    [scheme, url, seconds.sinceAsked, seconds.sincePrepared],
  );
  return rows[0];
}

/** All directory servers that were ever asked for their cards. */
export async function selectDirectories(read: Read): Promise<readonly DirectoryState[]> {
  const { rows } = await read<DirectoryState>(
    {
      name: 'three-ds-select-directories',
      text: `
        select
          scheme, url,
          extract(epoch from kontor_now() - asked_at)::float8 as "askedSeconds",
          extract(epoch from kontor_now() - prepared_at)::float8 as "preparedSeconds",
          (select count(*)::integer from three_ds_range where three_ds_range.scheme = known.scheme) as ranges,
          coalesce(left_out, 0) as "leftOut"
        from three_ds_directory as known`,
    },
    [],
  );
  return rows;
}

/** Notes the answer of a directory server. */
export async function notePrepared(
  transaction: Transaction,
  { scheme, url }: Asked,
  { serialNumber, leftOut }: { readonly serialNumber: string; readonly leftOut: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'three-ds-note-prepared',
      text: `
        update three_ds_directory set serial_number = $3, prepared_at = kontor_now(), left_out = $4
        where scheme = $1 and url = $2`,
    },
    [scheme, url, serialNumber, leftOut],
  );
  return count;
}

/** Removes all ranges of a scheme. */
export async function deleteRanges(transaction: Transaction, scheme: string): Promise<void> {
  await transaction.run({ name: 'three-ds-delete-ranges', text: 'delete from three_ds_range where scheme = $1' }, [
    scheme,
  ]);
}

const UPSERT_RANGES = overPlainRows<EnrolledRange, [scheme: string]>({
  name: 'three-ds-upsert-ranges',
  beside: 1,
  columns: {
    start_range: ['text', 'startRange'],
    end_range: ['text', 'endRange'],
    method_url: ['text', ({ methodUrl }) => methodUrl ?? null],
  },
  text: ({ names, rows }) => `
    insert into three_ds_range (scheme, ${names})
    select $1::text, v.*
    from ${rows}
    on conflict (scheme, start_range, end_range) do update set method_url = excluded.method_url`,
});

/** Adds ranges, or changes those that are there. No range may stand in the list twice. */
export async function upsertRanges(
  transaction: Transaction,
  scheme: string,
  ranges: readonly EnrolledRange[],
): Promise<void> {
  await transaction.run(UPSERT_RANGES, UPSERT_RANGES.values(ranges, scheme));
}

const REMOVE_RANGES = overPlainRows<EnrolledRange, [scheme: string]>({
  name: 'three-ds-remove-ranges',
  beside: 1,
  columns: { start_range: ['text', 'startRange'], end_range: ['text', 'endRange'] },
  text: ({ rows }) => `
    delete from three_ds_range
    using ${rows}
    where three_ds_range.scheme = $1 and three_ds_range.start_range = v.start_range
      and three_ds_range.end_range = v.end_range`,
});

/** Removes these ranges. */
export async function removeRanges(
  transaction: Transaction,
  scheme: string,
  ranges: readonly EnrolledRange[],
): Promise<void> {
  await transaction.run(REMOVE_RANGES, REMOVE_RANGES.values(ranges, scheme));
}

/** What is known of the ranges near some first digits. */
export interface RangesNear {
  /** Whether the scheme's directory server has ever answered. */
  readonly isPrepared: boolean;
  /** The one that begins last first. */
  readonly ranges: readonly EnrolledRange[];
}

/** Ranges before the first digits of a card of which one may end behind these. */
const NEIGHBOURS = 100;
/** First digits that the ends of a range share, at most, which has all cards with other first eight digits. */
const AROUND_DIGITS = 7;

/**
 * The ranges of a scheme for cards of so many digits that may have a card with these first digits: those that begin so, the last
 * ones that begin before, and the last one that has all cards which begin so. Issuers change a part of a range, so that one lies in another,
 * and cards of other lengths lie between.
 */
export async function selectRangesNear(
  read: Read,
  {
    scheme,
    digits,
    length,
    limit,
  }: { readonly scheme: string; readonly digits: string; readonly length: number; readonly limit: number },
): Promise<RangesNear> {
  const { rows } = await read<RangesNear>(
    {
      name: 'three-ds-select-ranges-near',
      text: `
        select
          exists (select from three_ds_directory where scheme = $1 and prepared_at is not null) as "isPrepared",
          coalesce((
            select jsonb_agg(jsonb_build_object('startRange', start_range, 'endRange', end_range, 'methodUrl', method_url)
              order by start_range desc, end_range)
            from (
              (select start_range, end_range, method_url from three_ds_range
                where scheme = $1 and start_range >= $2 and start_range < $2 || ':' order by start_range limit $4::integer)
              union
              (select start_range, end_range, method_url from three_ds_range
                where scheme = $1 and start_range < $2 order by start_range desc limit ${NEIGHBOURS})
              union
              (select around.* from generate_series(0, ${AROUND_DIGITS}) shared,
                lateral (select start_range, end_range, method_url from three_ds_range
                  where scheme = $1 and shared_digits = left($2, shared) and start_range < $2 and end_range > $2 || ':'
                    and length(start_range) = $3::integer
                  order by start_range desc limit 1) around
                order by start_range desc limit 1)
            ) near where length(start_range) = $3::integer), '[]') as ranges`,
    },
    [scheme, digits, length, limit],
  );
  return rows[0] ?? { isPrepared: false, ranges: [] };
}
