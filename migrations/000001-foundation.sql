-- What every other table stands on: the clock, the payees, and the record of who did what.

-- The clock of a change. It is read after the locks, so unlike now() it never runs backwards along a resource, and it
-- makes whole milliseconds, so that what is shown is what is stored.
create function kontor_now() returns timestamptz
  language sql volatile parallel safe
  return date_trunc('milliseconds', clock_timestamp());

-- A merchant: the tenant. Every other table's primary key starts with payee_id.
create table payee (
  payee_id uuid not null,
  name text not null,
  created_at timestamptz not null default kontor_now(),
  -- IANA name. In it a card is valid to the end of its month, and a report's day begins.
  time_zone text not null default 'Europe/Oslo',

  primary key (payee_id),
  constraint name_is_not_empty check (name <> ''),
  constraint time_zone_is_not_empty check (time_zone <> '')
);

-- Whoever runs the installation: owns the operator's credentials, and no payments.
insert into payee (payee_id, name) values ('00000000-0000-0000-0000-000000000000', 'Operator');

-- Who did what to which object, and when (PCI DSS 4.0.1, 10.2). A row commits with the act that it records.
create table audit (
  payee_id uuid not null references payee (payee_id),
  -- UUID version 7, so that rows made together lie together.
  audit_id uuid not null,
  happened_at timestamptz not null default kontor_now(),
  -- For example access-token:<id>, operator:cli, service.
  actor text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  -- The Session-Id of the request, where there was one.
  session_id uuid,
  -- What changed, in names and states. Never a card number, a secret or a payer's data.
  details jsonb not null default '{}',

  primary key (payee_id, audit_id),
  constraint actor_is_not_empty check (actor <> ''),
  constraint action_is_not_empty check (action <> ''),
  constraint object_kind_is_not_empty check (object_kind <> ''),
  constraint object_id_is_not_empty check (object_id <> ''),
  constraint details_are_an_object check (jsonb_typeof(details) = 'object')
);

-- The migration runner gives the service select and insert on tables that are marked so, and nothing else.
comment on table audit is 'append-only: who did what to which object, and when';

-- An object's history, in order.
create index audit_by_object on audit (payee_id, object_kind, object_id, happened_at);

-- Privileges keep the service from changing the past; this keeps the owner from it too. To take it away is itself a
-- change of the schema, which shows.
create function refuse_to_change_the_past() returns trigger
  language plpgsql
  as $$
  begin
    raise exception 'the rows of % stay as they are', tg_table_name
      using errcode = 'restrict_violation';
  end
  $$;

create trigger audit_stays_as_it_is
  before update or delete or truncate on audit
  for each statement execute function refuse_to_change_the_past();
