-- The last four passwords of a user are not taken again (PCI DSS 4.0.1, 8.3.7): the one of now, and the three before it.

alter table portal_user add column former_password_hashes text[] not null default '{}';
alter table portal_user add constraint former_passwords_are_three_at_most check (cardinality(former_password_hashes) <= 3);
