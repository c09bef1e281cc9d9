-- What a payment wants its payer to read on the statement, beside the question that said so: a take-back, and a cancel that is
-- told again after a restart, say the same. Null where the payment says nothing; then the name of the agreement stands there.

alter table acquirer_exchange add column descriptor text;
