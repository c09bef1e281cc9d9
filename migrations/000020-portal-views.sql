-- Lists of the portal as a user wants to see them again. They are the user's alone, on the pages of one payee.

create table portal_view (
  payee_id uuid not null references payee,
  view_id uuid not null,
  user_id uuid not null,
  name text not null,
  page text not null,
  -- Of the page's address, without the question mark.
  query text not null,
  created_at timestamptz not null default kontor_now(),

  primary key (payee_id, view_id),
  constraint name_is_not_empty check (name <> ''),
  constraint page_is_known check (page in ('payments', 'calls', 'movements', 'gift-cards'))
);
create index portal_view_by_user on portal_view (payee_id, user_id, view_id);
