-- An account of a card that an issuer elsewhere decides on is found by a digest of its number, beside its first six and last four digits.
-- The digest ends when the card was not used for so many days; a use puts it off. Of other accounts the time says nothing: their numbers are
-- ours. Instances of older versions write the default. It is now() and not kontor_now(), which would write each row anew.
alter table account add column number_ends_at timestamptz not null default now() + interval '45 days';
