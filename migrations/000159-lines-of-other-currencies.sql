-- A line of a settlement file may pay a sale in another currency than the sale's. What it says of the sale then stands beside what it pays,
-- and the ledger books both by conversions: one movement in each currency.
--
-- stops settlement_line, settlement_batch: files are imported a few times a day

alter table settlement_line
  -- Null: the same as currency and gross.
  add column transaction_currency text,
  add column transaction_amount bigint,
  -- As the file has it.
  add column exchange_rate text,
  add constraint transaction_amount_has_its_currency
    check ((transaction_currency is null) = (transaction_amount is null)) not valid;

alter table settlement_batch
  -- The movements that convert what it has matched of other currencies.
  add column conversion_ids uuid[] not null default '{}';

alter table movement
  drop constraint movement_kind_is_known,
  add constraint movement_kind_is_known check (
    kind in ('Authorize', 'Capture', 'Cancel', 'Expire', 'Purchase', 'Deposit', 'Credit', 'Reversal', 'Sweep', 'Merge',
      'Opening', 'Settlement', 'Dispute', 'Conversion')
  ) not valid;
