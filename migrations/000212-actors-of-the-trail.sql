-- Who did something is a kind and, where there are several of the kind, an id: a question about people names columns, and cuts no text.
--
-- stops audit: each row is written anew, with its indexes; instances of the version before cannot write the trail any more
alter table audit
  -- access-token, oauth-client, portal-user, operator, payer, service or stranger.
  add column actor_kind text collate "C",
  -- Null of a payer, of the service and of a stranger: one of each is like another. Of an operator cli:<person>.
  add column actor_id text collate "C";

-- This way no trigger that keeps the rows as they are is asked, and the table is written once.
alter table audit
  alter column actor_kind type text collate "C" using split_part(actor, ':', 1),
  alter column actor_id type text collate "C" using nullif(substr(actor, length(split_part(actor, ':', 1)) + 2), '');

-- Its index and its constraint go with it.
alter table audit
  drop column actor,
  alter column actor_kind set not null,
  add constraint actor_is_not_empty check (actor_kind <> '' and actor_id <> '');

create index audit_by_people on audit (payee_id, audit_id) where actor_kind in ('portal-user', 'operator');
analyze audit;

create or replace function refuse_to_change_the_trail() returns trigger
  language plpgsql
  as $$
  begin
    if old.happened_at < now() - interval '365 days'
      and new.details = old.details - 'address'
      and (new.payee_id, new.audit_id, new.happened_at, new.actor_kind, new.action, new.object_kind, new.object_id)
        = (old.payee_id, old.audit_id, old.happened_at, old.actor_kind, old.action, old.object_kind, old.object_id)
      and new.actor_id is not distinct from old.actor_id
      and new.session_id is not distinct from old.session_id
    then
      return new;
    end if;
    raise exception 'the rows of % stay as they are', tg_table_name
      using errcode = 'restrict_violation';
  end
  $$;
