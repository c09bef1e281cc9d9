-- stops three_ds_range: it is written anew
-- The first digits, up to eight, that all cards of a range share. A range that begins before some first digits and has all cards
-- with them shares fewer, and of ranges that share the same few and do not overlap there are nine: so it is found without a
-- walk through all ranges before it.

alter table three_ds_range add column shared_digits text collate "C" not null generated always as (
  left(start_range, case
    when left(start_range, 8) = left(end_range, 8) then 8
    when left(start_range, 7) = left(end_range, 7) then 7
    when left(start_range, 6) = left(end_range, 6) then 6
    when left(start_range, 5) = left(end_range, 5) then 5
    when left(start_range, 4) = left(end_range, 4) then 4
    when left(start_range, 3) = left(end_range, 3) then 3
    when left(start_range, 2) = left(end_range, 2) then 2
    when left(start_range, 1) = left(end_range, 1) then 1
    else 0
  end)
) stored;

create index three_ds_range_by_shared_digits on three_ds_range (scheme, shared_digits, start_range);
