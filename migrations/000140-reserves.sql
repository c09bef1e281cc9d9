-- What an acquirer holds back, and releases later, is a line of its own type.
--
-- stops settlement_line: files are imported a few times a day

alter table settlement_line
  drop constraint line_type_is_known,
  add constraint line_type_is_known
    check (type in ('Sale', 'Refund', 'Fee', 'Chargeback', 'ChargebackReversal', 'Adjustment', 'Reserve', 'Payout')) not valid;
