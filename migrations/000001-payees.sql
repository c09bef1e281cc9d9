-- What every other table stands on: the clock, and the payees.
--
-- Files 1 to 13 are the schema as the first release has it, one for each part of the domain, in the order in which they
-- build on each other. Each constraint has a name that says what holds: it is all that a log shows where one is broken.

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

  constraint payee_pkey primary key (payee_id),
  constraint name_is_not_empty check (name <> ''),
  constraint time_zone_is_not_empty check (time_zone <> '')
);

-- Whoever runs the installation: owns the operator's credentials, and no payments.
insert into payee (payee_id, name) values ('00000000-0000-0000-0000-000000000000', 'Operator');
