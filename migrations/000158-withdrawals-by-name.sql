-- no transaction
-- People and files name a withdrawn batch as its file did.

drop index concurrently if exists settlement_withdrawal_named;
create index concurrently settlement_withdrawal_named on settlement_withdrawal (payee_id, acquirer, name);
drop index concurrently if exists settlement_withdrawal_by_name;
