-- Rows that background work takes out of the database: one that cannot be done keeps nobody else from their turn.

-- A row is noted here before it is worked at, and is gone again once that is done: what stays has failed, or is set aside.
-- One that is still noted as under way when its time is over was so when its process ended.
create table row_at_work (
  payee_id uuid not null constraint payee_exists references payee,
  -- The kind of background work, and what it calls the row.
  work text not null,
  row_id text not null,
  -- Nobody takes it before: somebody has it, it waits after a failure, or, infinity, it is set aside.
  not_before timestamptz not null,
  is_under_way boolean not null,
  -- Times that it was under way when its process ended.
  crashes integer not null default 0,
  failures integer not null default 0,
  -- The name of the last error. Not its message, which may hold values.
  fault text,
  begun_at timestamptz not null default kontor_now(),

  primary key (payee_id, work, row_id),
  constraint crashes_and_failures_not_negative check (crashes >= 0 and failures >= 0),
  constraint row_set_aside_is_not_under_way check (not (is_under_way and not_before = 'infinity'))
)
with (fillfactor = 50);

-- Deliveries have a lease of their own. One that is taken up after its lease was under way when a process ended; after two
-- of these it is set aside, as given up.
alter table delivery add column crashes integer not null default 0;
create index delivery_set_aside on delivery (payee_id) where crashes >= 2;
