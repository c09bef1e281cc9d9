-- Beside cards, bank accounts and invoices a payer may have stored an instrument of any name, with texts that belong to it.
alter table instrument drop constraint instrument_kind_is_known;
alter table instrument add constraint instrument_kind_is_known
  check (kind in ('Card', 'BankAccount', 'Invoice', 'Other'));
