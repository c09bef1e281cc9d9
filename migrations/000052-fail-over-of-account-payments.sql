-- An account payment may be asked for at another acquirer where the one before was not asked: an attempt of its own each, and
-- none at an acquirer that was asked already. What follows names the one that was approved.
create unique index attempt_at_an_issuer_makes_the_payment on issuer_attempt (payee_id, payment_id, issuer)
  where transaction_id is null;
drop index attempt_makes_the_payment;
