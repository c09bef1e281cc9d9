-- Where a person was when they did what a row of the audit trail tells: that ends, and nothing else of the row. The row stays as it is in every
-- other way, for its owner too. A year is what PCI DSS 4.0.1 wants (10.5.1).
create function refuse_to_change_the_trail() returns trigger
  language plpgsql
  as $$
  begin
    if old.happened_at < now() - interval '365 days'
      and new.details = old.details - 'address'
      and (new.payee_id, new.audit_id, new.happened_at, new.actor, new.action, new.object_kind, new.object_id)
        = (old.payee_id, old.audit_id, old.happened_at, old.actor, old.action, old.object_kind, old.object_id)
      and new.session_id is not distinct from old.session_id
    then
      return new;
    end if;
    raise exception 'the rows of % stay as they are', tg_table_name
      using errcode = 'restrict_violation';
  end
  $$;

create trigger audit_rows_stay_as_they_are
  before update on audit
  for each row execute function refuse_to_change_the_trail();
drop trigger audit_stays_as_it_is on audit;
create trigger audit_stays_as_it_is
  before delete or truncate on audit
  for each statement execute function refuse_to_change_the_past();

-- The service's role may not change the trail, so this does it for the role: some rows, the oldest first. @returns how many
create function forget_addresses_of_trail(days integer, most integer) returns integer
  language sql
  security definer
  set search_path = public, pg_temp
  as $$
    with old as materialized (
      select payee_id, audit_id
      from audit
      where details ? 'address' and happened_at < now() - greatest(days, 365) * interval '1 day'
      order by happened_at
      limit most
      for no key update skip locked
    ), forgotten as (
      update audit set details = details - 'address'
      from old
      where audit.payee_id = old.payee_id and audit.audit_id = old.audit_id
      returning 1
    )
    select count(*)::integer from forgotten
  $$;
