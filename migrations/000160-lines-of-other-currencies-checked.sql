-- no transaction
-- One table after the other; reads them while they are written to.

alter table entry
  drop constraint if exists side_is_known,
  add constraint side_is_known check (side in ('Available', 'Held', 'Clearing', 'Funding', 'Issuer', 'Breakage', 'Conversion'))
    not valid;

alter table settlement_line validate constraint transaction_amount_has_its_currency;
alter table movement validate constraint movement_kind_is_known;
alter table entry validate constraint side_is_known;

-- Reports add what such lines have cost in another currency than the sale's.
drop index concurrently if exists settlement_line_converted;
create index concurrently settlement_line_converted on settlement_line (payee_id, attempt_id) where transaction_currency is not null;
