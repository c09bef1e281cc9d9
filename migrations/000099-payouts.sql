-- no transaction
-- A person marks payouts that they have seen on the bank's statement, and a fee that is above 0 is a difference.

alter table settlement_batch
  add column if not exists seen_at timestamptz,
  add column if not exists seen_by text;

alter table settlement_difference
  drop constraint if exists difference_kind_is_known,
  add constraint difference_kind_is_known check (
    kind in ('unknownToUs', 'takenThoughRefused', 'amountDiffers', 'currencyDiffers', 'merchantDiffers', 'twice', 'missingAtAcquirer',
      'totalsDiffer', 'abandoned', 'feeAboveZero')
  ) not valid;
alter table settlement_difference validate constraint difference_kind_is_known;
