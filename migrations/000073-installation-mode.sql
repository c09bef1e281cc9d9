-- What this database is for: test data, or money. The first start writes it down, and it never changes. A process whose
-- settings say something else does not use the database: a lost setting must not make a sandbox of production.
create table installation (
  -- There is one row.
  is_this_one boolean not null default true,
  mode text not null,
  decided_at timestamptz not null default kontor_now(),

  constraint installation_pkey primary key (is_this_one),
  constraint there_is_one_installation check (is_this_one),
  constraint mode_is_known check (mode in ('sandbox', 'production'))
);

comment on table installation is 'append-only: what the database is for';

create trigger installation_stays_as_it_is
  before update or delete or truncate on installation
  for each statement execute function refuse_to_change_the_past();

-- A database that is in use already is judged by its oldest payee. That of a sandbox is the demo payee, whose credentials the
-- service made itself; in production people make all credentials. One without payees is new.
insert into installation (mode)
select case when exists (select from access_token where payee_id = oldest.payee_id and created_by = 'service')
  then 'sandbox' else 'production' end
from (
  select payee_id from payee where payee_id <> '00000000-0000-0000-0000-000000000000' order by created_at, payee_id limit 1
) as oldest;
