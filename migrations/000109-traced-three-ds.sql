-- no transaction
-- Messages of 3-D Secure in the trace: see 000093. They are of a scheme and of no acquirer.

alter table acquirer_trace alter column acquirer drop not null;

-- The card scheme whose directory server it is; null of messages on lines to acquirers, and where it is not known.
alter table acquirer_trace add column if not exists scheme text collate "C";
-- The ids that the message itself says.
alter table acquirer_trace add column if not exists three_ds_server_trans_id uuid;
alter table acquirer_trace add column if not exists ds_trans_id uuid;

drop index concurrently if exists acquirer_trace_by_server_trans_id;
create index concurrently acquirer_trace_by_server_trans_id on acquirer_trace (three_ds_server_trans_id)
  where three_ds_server_trans_id is not null;

drop index concurrently if exists acquirer_trace_by_ds_trans_id;
create index concurrently acquirer_trace_by_ds_trans_id on acquirer_trace (ds_trans_id) where ds_trans_id is not null;
