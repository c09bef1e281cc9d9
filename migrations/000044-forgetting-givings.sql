-- What people gave away by pages, and requests that waited for a second person, are forgotten for all payees at once, those
-- that are over longest first.
create index giving_by_time on giving (given_at);
create index pending_change_by_end on pending_change (expires_at) where request_sealed is not null;
