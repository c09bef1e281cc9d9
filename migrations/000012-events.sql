-- Events: the feed, in which each has its position, and the webhooks that it is delivered to.

-- The position of a payee's latest event. One sequencer raises it, so it needs no lock of its own.
create table event_head (
  payee_id uuid not null constraint payee_exists references payee,
  position bigint not null,

  constraint event_head_pkey primary key (payee_id),
  constraint position_is_positive check (position > 0)
);

-- A payee's events in order: 1, 2, 3, … without gaps. A position is given after the event has committed, so whoever has
-- read up to one has missed nothing before it. Without a foreign key to event, whose rows are never deleted: the check
-- would lock each of them.
create table event_feed (
  payee_id uuid not null,
  position bigint not null,
  event_id uuid not null,

  constraint event_feed_pkey primary key (payee_id, position),
  constraint event_has_one_position unique (payee_id, event_id),
  constraint position_is_positive check (position > 0)
);
comment on table event_feed is 'append-only: the order of events';
create trigger event_feed_stays_as_it_is
  before update or delete or truncate on event_feed
  for each statement execute function refuse_to_change_the_past();

-- An address of a payee's that events are delivered to.
create table webhook (
  payee_id uuid not null constraint payee_exists references payee,
  webhook_id uuid not null,
  url text not null,
  description text,
  -- As in payment.captured, or payment.* for all of a resource; empty for all there are.
  event_types text[] not null,
  -- Suspended: it has taken nothing for a whole series of tries, and only one delivery is tried now and then.
  state text not null default 'Enabled',
  -- When a suspended one is tried next.
  next_probe_at timestamptz,
  -- When it last took a delivery.
  last_success_at timestamptz,
  -- What the request that made it is known by, so that repeating it makes no second one.
  idempotency_key text,
  -- What that request asked for: the same key with something else is refused.
  asked jsonb not null,
  -- Number of its latest event, which are those that try it out.
  event_sequence bigint not null default 0,
  created_at timestamptz not null default kontor_now(),
  updated_at timestamptz not null default kontor_now(),
  -- A receiver of callbacks is a webhook that nobody made: it stands for all addresses of a payee's payments that have their
  -- scheme, host and port in common. Null: a webhook that its payee made.
  callback_origin text,

  constraint webhook_pkey primary key (payee_id, webhook_id),
  constraint idempotency_key_is_used_once unique (payee_id, idempotency_key),
  constraint origin_has_one_receiver unique (payee_id, callback_origin),
  constraint url_has_1_to_2000_characters check (char_length(url) between 1 and 2000),
  constraint webhook_state_is_known check (state in ('Enabled', 'Suspended', 'Disabled', 'Deleted')),
  constraint suspended_webhook_is_probed check ((state = 'Suspended') = (next_probe_at is not null))
);

-- What deliveries are signed with: of a webhook, or of the callbacks of a payee's payments. Two of them overlap where one
-- was rotated.
create table signing_secret (
  payee_id uuid not null constraint payee_exists references payee,
  secret_id uuid not null,
  -- Null: the payee's callbacks.
  webhook_id uuid,
  sealed bytea not null,
  -- Key of the ring that its data key is wrapped with.
  sealed_with text not null,
  created_at timestamptz not null default kontor_now(),
  -- Null: it has no end yet.
  expires_at timestamptz,

  constraint signing_secret_pkey primary key (payee_id, secret_id),
  constraint webhook_exists foreign key (payee_id, webhook_id) references webhook
);
create index signing_secret_by_webhook on signing_secret (payee_id, webhook_id);
create index signing_secret_by_sealing on signing_secret (sealed_with);

-- One event on its way to one webhook.
create table delivery (
  payee_id uuid not null,
  webhook_id uuid not null,
  -- The event's in the feed.
  position bigint not null,
  event_id uuid not null,
  -- Copies of the event's, because deliveries about one resource wait for each other.
  resource_kind text not null,
  resource_id text not null,
  state text not null default 'Waiting',
  tries integer not null default 0,
  first_tried_at timestamptz,
  -- Null once it is delivered or given up.
  next_try_at timestamptz,
  -- Somebody is trying it until then, unless they died.
  leased_until timestamptz,
  created_at timestamptz not null default kontor_now(),
  settled_at timestamptz,

  constraint delivery_pkey primary key (payee_id, webhook_id, position),
  constraint webhook_exists foreign key (payee_id, webhook_id) references webhook,
  constraint delivery_state_is_known check (state in ('Waiting', 'Delivered', 'GivenUp')),
  constraint waiting_delivery_has_a_next_try check ((state = 'Waiting') = (next_try_at is not null)),
  constraint tries_not_negative check (tries >= 0)
)
with (fillfactor = 80);

-- What is to be tried, and what stands before it.
create index delivery_by_next_try on delivery (payee_id, webhook_id, next_try_at) where state = 'Waiting';
create index delivery_by_resource on delivery (payee_id, webhook_id, resource_kind, resource_id, position)
  where state = 'Waiting';
create index delivery_by_age on delivery (created_at);
-- How many were given up lately.
create index delivery_given_up on delivery (settled_at) where state = 'GivenUp';

-- What became of each try: the log of deliveries.
create table delivery_try (
  payee_id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  tried_at timestamptz not null,
  -- Of the answer; null where there was none.
  status integer,
  -- Why it did not work, in a word of ours.
  failure text,
  -- The beginning of the answer's body, without card numbers.
  answer text not null,
  duration_ms integer not null,

  constraint delivery_try_pkey primary key (payee_id, webhook_id, position, tried_at),
  constraint delivery_exists foreign key (payee_id, webhook_id, position) references delivery on delete cascade
);
