-- Types of the tokens that an approval of this try makes, as a list: what the payer has agreed to. The payer may authenticate
-- in between, so it outlives the request that asked them. Null: all that the payment asks for, as in every row before this one
-- and in those that an older instance writes meanwhile.
alter table card_transaction add column token_types jsonb;
