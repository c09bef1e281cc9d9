-- no transaction
-- Whom each message of a payment went to. It begins with the payment: by a payee and a payment there are other indexes.

drop index concurrently if exists issuer_attempt_by_payment;
create index concurrently issuer_attempt_by_payment on issuer_attempt (payment_id);
