-- no transaction
-- Whether another payment has the reference of one is looked up with it.

drop index concurrently if exists exchange_by_retrieval_reference;
create index concurrently exchange_by_retrieval_reference on acquirer_exchange (acquirer, retrieval_reference collate "C");
