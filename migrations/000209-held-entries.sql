-- no transaction
-- The last entry of what an account holds: an account that only is loaded and pays without a hold has millions of others. It begins with the
-- account: by a payee and an account there is one index alone.

drop index concurrently if exists entry_held;
create index concurrently entry_held on entry (account_id, sequence) where side = 'Held';
