-- What issuers have said of a payee's cards. Schemes bound how often a declined card is charged again, and say when: a row
-- begins with the first decline. A blocked card is one of these: `blocked_until` is over for all others.
alter table blocked_card
  -- When issuers have declined it, the latest first, within 30 days. Null: not since the last approval.
  add column declined_at timestamptz[],
  -- Before then its payee may not charge it by itself. Null: at any time.
  add column retry_at timestamptz;
