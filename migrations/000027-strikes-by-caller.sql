-- Wrong codes count for each caller (an OAuth client, or an access token by itself): who fails is kept from the card, not
-- its holder. By caller: how many in the window of half an hour and since when, how many of the day, and until when this
-- caller is kept from the card. Null nearly everywhere; on the row, because the row is locked and read anyway where a card
-- is used. `strikes` and `strikes_end_at` count those of all callers, in a window of a day.
alter table account
  add column strikers jsonb,
  add constraint strikers_are_an_object check (jsonb_typeof(strikers) = 'object');
