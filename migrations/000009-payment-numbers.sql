-- Numbers of payments and of their transactions, as people read them to each other, and the ids of gift cards' deposits:
-- whole numbers of eleven digits, unique in the installation and rising for each payee. One sequence
-- for all payees would tell each of them how much the others do.
--
-- The numbers are cut into blocks of ten thousand: block 1001000 is 10010000000 to 10010009999. A block is one payee's, so
-- what stands between two numbers of a payee is the payee's own, or was drawn by lot.
create table number_block (
  block integer not null,
  -- Null for the lowest row alone, which is nobody's.
  payee_id uuid constraint payee_exists references payee,

  constraint number_block_pkey primary key (block),
  constraint block_is_of_eleven_digits check (block between 1000000 and 9999999)
);
comment on table number_block is 'append-only';

-- The latest number that a payee has been given. Before the first one it is the end of a block drawn by lot, which need not
-- be the payee's.
create table number_counter (
  payee_id uuid not null constraint payee_exists references payee,
  latest bigint not null,

  constraint number_counter_pkey primary key (payee_id)
)
-- The row changes with nearly every batch.
with (fillfactor = 50);

-- Blocks begin above this one.
insert into number_block (block) values (1001000);

-- Gives payees so many numbers each, in rising order. Fewer, or none, where there are no more for a payee.
--
-- It must be a transaction of its own, which does not wait for the disk: the counter's lock, which all processes of a payee
-- want, is held for no longer than the statement takes. That is safe. A transaction that stores one of these numbers begins
-- later, so it stands later in the log, and the log is written in its order: once that transaction is durable, here or on a
-- standby, this one is too. Numbers that a crash gives out again were stored by nobody.
create function take_numbers(payees uuid[], counts integer[]) returns table (payee_id uuid, number bigint)
  language plpgsql volatile
  as $$
  #variable_conflict use_column
  declare
    -- A payee's blocks are up to eight apart. Where one is taken, another is drawn from twice as many.
    reach constant integer := 8;
    draws constant integer := 20;
    last_block constant integer := 9999999;
    wanted record;
    last_number bigint;
    missing integer;
    part integer;
    next_block integer;
    is_ours boolean;
  begin
    if pg_current_xact_id_if_assigned() is not null then
      raise exception 'take_numbers must be a transaction of its own';
    end if;
    perform set_config('synchronous_commit', 'off', true);
    -- In one order, so that nobody waits for each other.
    for wanted in select v.payee_id, v.count from unnest(payees, counts) as v (payee_id, count) order by 1 loop
      update number_counter set latest = latest + wanted.count
      where payee_id = wanted.payee_id and latest % 10000 + wanted.count < 10000
      returning latest into last_number;
      if found then
        return query select wanted.payee_id, * from generate_series(last_number - wanted.count + 1, last_number);
        continue;
      end if;

      -- A new payee begins in the first tenth, so that nobody's first number tells how many payees there are.
      insert into number_counter (payee_id, latest)
      select wanted.payee_id, (block + floor(random() * ((last_block - block) / 10))::bigint) * 10000 + 9999
      from (select min(block) as block from number_block) below
      on conflict do nothing;
      select latest into last_number from number_counter where payee_id = wanted.payee_id for no key update;
      missing := wanted.count;
      while missing > 0 loop
        if last_number % 10000 = 9999 then
          is_ours := false;
          for draw in 0 .. draws - 1 loop
            exit when is_ours or last_number / 10000 >= last_block;
            next_block := last_number / 10000 + 1
              + floor(random() * least(reach * 2 ^ draw, last_block - last_number / 10000))::integer;
            insert into number_block (block, payee_id) values (next_block, wanted.payee_id) on conflict do nothing;
            is_ours := found;
          end loop;
          exit when not is_ours;
          last_number := next_block::bigint * 10000 - 1;
        end if;
        -- Up to the end of the block that the next number is in.
        part := least(missing, 10000 - (last_number + 1) % 10000);
        return query select wanted.payee_id, * from generate_series(last_number + 1, last_number + part);
        last_number := last_number + part;
        missing := missing - part;
      end loop;
      update number_counter set latest = last_number where payee_id = wanted.payee_id;
    end loop;
  end
  $$;

-- The account payment that stands behind a number: the deposit of a gift card.
create table payment_number (
  payee_id uuid not null,
  number bigint not null,
  payment_id uuid not null,

  constraint payment_number_pkey primary key (payee_id, number),
  constraint payment_has_one_number unique (payee_id, payment_id),
  constraint payment_exists foreign key (payee_id, payment_id) references payment,
  constraint number_is_positive check (number > 0)
);
