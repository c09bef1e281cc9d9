-- The keys that rows are sealed and found with. They are in the key ring, apart from the database, which holds of each only
-- what tells the right one from a wrong one.

-- Which keys this database was written with. No payee owns a key.
create table key_check (
  -- For example card-data-2. A number is given once, so the id of a destroyed key does not come back.
  key_id text not null,
  purpose text not null,
  -- Current: new rows are written with it. Previous: rows may still need it. Retired: no row does, backups may.
  -- Destroyed: it is no longer in the ring.
  state text not null,
  -- HMAC-SHA-256 of a constant under the key: reveals nothing of it, and no other key has the same.
  check_value bytea not null,
  created_at timestamptz not null default kontor_now(),
  changed_at timestamptz not null default kontor_now(),

  constraint key_check_pkey primary key (key_id),
  constraint key_id_is_purpose_and_number check (key_id ~ '^[a-z]+(-[a-z]+)*-[1-9][0-9]*$'),
  constraint key_state_is_known check (state in ('Current', 'Previous', 'Retired', 'Destroyed')),
  constraint check_value_is_a_sha_256 check (octet_length(check_value) = 32)
);

-- One key to write with for each purpose.
create unique index one_current_key_for_each_purpose on key_check (purpose) where state = 'Current';

-- Taken by whoever changes which keys are in use; waits for those who write with them. The two numbers say "kont" and
-- the first lock of its kind.
create function lock_keys() returns void
  language sql volatile
  as $$ select pg_advisory_xact_lock(1802464884, 1) $$;

-- Taken by whoever writes with keys, any number of them at once; they hold for the rest of the transaction. A function
-- and not one query, because a query reads as of its own start, which is before it had to wait for the lock: it would
-- return the key that was just replaced. Each query in a volatile function reads anew.
create function keys_for_writing() returns setof key_check
  language plpgsql volatile
  as $$
  begin
    perform pg_advisory_xact_lock_shared(1802464884, 1);
    return query select * from key_check where state in ('Current', 'Previous');
  end
  $$;
