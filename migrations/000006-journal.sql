-- What changes leave behind: the record of who did what, and events.

-- Who did what to which object, and when (PCI DSS 4.0.1, 10.2). A row commits with the act that it records.
create table audit (
  -- Without a foreign key: the row belongs to the payee of those that it tells of. A key would lock the payee's row in each
  -- of them, 3.4 microseconds, and all that happens at once would meet in that one row.
  payee_id uuid not null,
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

  constraint audit_pkey primary key (payee_id, audit_id),
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

-- What people did, among all that programs do: the portal's list of activity begins with it. A row of a program is in
-- neither part of the condition, so it costs nothing but the look.
create index audit_by_people on audit (payee_id, audit_id)
  where actor like 'portal-user:%' or actor like 'operator:%';

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

-- What happened, for whoever wants to be told. It commits with the change that it tells of.
create table event (
  payee_id uuid not null,
  event_id uuid not null,
  -- As in payment.authorized.
  type text not null,
  resource_kind text not null,
  resource_id text not null,
  -- Counts up by one for each resource, so that its events can be put in order.
  resource_sequence bigint not null,
  happened_at timestamptz not null,
  payload jsonb not null,
  -- Where a callback goes, and what it says; null where nowhere.
  callback_url text,
  callback_body jsonb,

  constraint event_pkey primary key (payee_id, event_id),
  constraint event_has_its_place unique (payee_id, resource_kind, resource_id, resource_sequence),
  constraint event_type_is_words_with_a_dot check (type ~ '^[a-z-]+[.][a-z-]+$'),
  constraint resource_sequence_is_positive check (resource_sequence > 0),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object'),
  constraint callback_has_an_address_and_a_body check ((callback_url is null) = (callback_body is null))
);
comment on table event is 'append-only: what happened';

-- The outbox: events that nobody has put in order and delivered yet.
create table event_pending (
  payee_id uuid not null,
  event_id uuid not null,
  happened_at timestamptz not null,

  constraint event_pending_pkey primary key (payee_id, event_id)
);

-- How long the oldest has waited.
create index event_pending_by_time on event_pending (happened_at);
