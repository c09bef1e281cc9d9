-- no transaction
-- What is due, and what is forwarded of a payment, which goes out in its order: see 000061 and 000090.

drop index concurrently if exists issuer_attempt_by_time;
create index concurrently issuer_attempt_by_time on issuer_attempt ((coalesce(forward_at, due_at))) where due_at is not null;

drop index concurrently if exists issuer_attempt_forwarded;
create index concurrently issuer_attempt_forwarded on issuer_attempt (payee_id, payment_id) where state = 'FORWARDING';
