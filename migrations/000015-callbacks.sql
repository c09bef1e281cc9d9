-- Callbacks: what happens to a card payment is posted to the address that the payment names.

-- Where and what, beside the feed and the webhooks; null where nowhere.
alter table event
  add column callback_url text,
  add column callback_body jsonb,
  add constraint callback_has_an_address_and_a_body check ((callback_url is null) = (callback_body is null)) not valid;

-- A receiver of callbacks is a webhook that nobody made: it stands for all addresses of a payee's payments that have their
-- scheme, host and port in common. Null: a webhook that its payee made.
alter table webhook
  add column callback_origin text,
  add constraint origin_has_one_receiver unique (payee_id, callback_origin);
