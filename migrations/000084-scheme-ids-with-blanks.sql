-- Some schemes fill their names of payments up with blanks, which belong to the name. Blanks alone are none.
alter table stored_credential
  drop constraint scheme_transaction_id_is_visible,
  add constraint scheme_transaction_id_is_printable
    check (scheme_transaction_id ~ '^[ -~]{1,40}$' and scheme_transaction_id ~ '[!-~]') not valid;
