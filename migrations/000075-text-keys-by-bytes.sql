-- no transaction
-- Text in an index is compared by its bytes. By a server's locale, an upgrade of the operating system can change the order of texts:
-- then a unique index no longer finds what it has, and a repeated request moves money a second time. New columns in an index say so
-- themselves.
--
-- Rows stay as they are; the indexes of one table after the other are built anew, and nothing uses that table meanwhile. Each of the
-- statements is a transaction of its own, and one that was done before does nothing. Statistics of a changed column are gone: `analyze`.
--
-- stops access_token, account, acquirer_agreement, acquirer_exchange, acquirer_habit, acquirer_stan: their indexes are built anew
-- stops attempt, audit, authentication, card_payment, card_range, delivery, dispute, event: their indexes are built anew
-- stops gift_card, gift_card_guess, gift_card_product, gift_card_step, giving, giving_limit: their indexes are built anew
-- stops hmac_key, instrument, issuer_attempt, key_check, oauth_client, order_leg, order_payer: their indexes are built anew
-- stops payer, payer_token, payment, payment_order, pending_change, portal_second_factor: their indexes are built anew
-- stops portal_user, reference, row_at_work, settlement_batch, settlement_day: their indexes are built anew
-- stops settlement_difference, settlement_file, settlement_item, settlement_line, signing_secret: their indexes are built anew
-- stops three_ds_directory, three_ds_range, webhook: their indexes are built anew

alter table access_token alter column oauth_client_id type text collate "C";
analyze access_token;

alter table account alter column currency type text collate "C";
analyze account;

alter table acquirer_agreement alter column agreement type text collate "C";
analyze acquirer_agreement;

alter table acquirer_exchange
  alter column acquirer type text collate "C",
  alter column kind type text collate "C",
  alter column stan type text collate "C",
  alter column terminal_id type text collate "C";
analyze acquirer_exchange;

alter table acquirer_habit alter column acquirer type text collate "C", alter column habit type text collate "C";
analyze acquirer_habit;

alter table acquirer_stan alter column acquirer type text collate "C", alter column terminal_id type text collate "C";
analyze acquirer_stan;

alter table attempt alter column kind type text collate "C";
analyze attempt;

alter table audit alter column object_id type text collate "C", alter column object_kind type text collate "C";
analyze audit;

alter table authentication alter column sealed_with type text collate "C";
analyze authentication;

alter table card_payment alter column operation type text collate "C", alter column state type text collate "C";
analyze card_payment;

alter table card_range alter column prefix type text collate "C", alter column source type text collate "C";
analyze card_range;

alter table delivery alter column resource_id type text collate "C", alter column resource_kind type text collate "C";
analyze delivery;

alter table dispute alter column acquirer type text collate "C", alter column case_id type text collate "C";
analyze dispute;

alter table event alter column resource_id type text collate "C", alter column resource_kind type text collate "C";
analyze event;

alter table gift_card alter column product_id type text collate "C", alter column sealed_with type text collate "C";
analyze gift_card;

alter table gift_card_guess alter column kind type text collate "C";
analyze gift_card_guess;

alter table gift_card_product alter column product_id type text collate "C";
analyze gift_card_product;

alter table gift_card_step alter column transaction_ref type text collate "C";
analyze gift_card_step;

alter table giving alter column currency type text collate "C", alter column person type text collate "C";
analyze giving;

alter table giving_limit alter column currency type text collate "C";
analyze giving_limit;

alter table hmac_key alter column key_id type text collate "C", alter column sealed_with type text collate "C";
analyze hmac_key;

alter table instrument
  alter column card_data_key_id type text collate "C",
  alter column fingerprint_key_id type text collate "C";
analyze instrument;

alter table issuer_attempt alter column issuer type text collate "C";
analyze issuer_attempt;

alter table key_check alter column key_id type text collate "C", alter column purpose type text collate "C";
analyze key_check;

alter table oauth_client alter column client_id type text collate "C";
analyze oauth_client;

alter table order_leg alter column name type text collate "C";
analyze order_leg;

alter table order_payer alter column sealed_with type text collate "C";
analyze order_payer;

alter table payer alter column payer_reference type text collate "C";
analyze payer;

alter table payer_token alter column payer_reference type text collate "C";
analyze payer_token;

alter table payment
  alter column operation type text collate "C",
  alter column payment_order_ref type text collate "C",
  alter column state type text collate "C";
analyze payment;

alter table payment_order alter column payer_reference type text collate "C", alter column status type text collate "C";
analyze payment_order;

alter table pending_change
  alter column asked_by type text collate "C",
  alter column operation_id type text collate "C",
  alter column reference type text collate "C",
  alter column sealed_with type text collate "C";
analyze pending_change;

alter table portal_second_factor
  alter column sealed_with type text collate "C",
  alter column state type text collate "C";
analyze portal_second_factor;

alter table portal_user alter column sealed_with type text collate "C";
analyze portal_user;

alter table reference alter column reference type text collate "C", alter column scope type text collate "C";
analyze reference;

alter table row_at_work alter column row_id type text collate "C", alter column work type text collate "C";
analyze row_at_work;

alter table settlement_batch alter column acquirer type text collate "C", alter column batch_id type text collate "C";
analyze settlement_batch;

alter table settlement_day alter column agreement type text collate "C", alter column currency type text collate "C";
analyze settlement_day;

alter table settlement_difference
  alter column acquirer type text collate "C",
  alter column agreement type text collate "C",
  alter column batch_id type text collate "C",
  alter column currency type text collate "C",
  alter column kind type text collate "C",
  alter column line_id type text collate "C";
analyze settlement_difference;

alter table settlement_file alter column acquirer type text collate "C";
analyze settlement_file;

alter table settlement_item
  alter column acquirer type text collate "C",
  alter column acquirer_reference type text collate "C",
  alter column agreement type text collate "C",
  alter column currency type text collate "C",
  alter column retrieval_reference type text collate "C",
  alter column type type text collate "C";
analyze settlement_item;

alter table settlement_line
  alter column acquirer type text collate "C",
  alter column batch_id type text collate "C",
  alter column line_id type text collate "C";
analyze settlement_line;

alter table signing_secret alter column sealed_with type text collate "C";
analyze signing_secret;

alter table three_ds_directory alter column scheme type text collate "C";
analyze three_ds_directory;

alter table three_ds_range alter column scheme type text collate "C";
analyze three_ds_range;

alter table webhook
  alter column callback_origin type text collate "C",
  alter column idempotency_key type text collate "C";
analyze webhook;
