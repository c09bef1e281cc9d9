-- The files that pages load, of each version that an instance serves. While one version takes the place of another, a page of one may
-- ask an instance of the other for them. A few versions of a megabyte each: what no instance serves any more is deleted.

create table browser_file (
  -- Below the service's address; the name changes with the content.
  path text collate "C" not null,
  content_type text not null,
  content bytea not null,
  -- Renewed by each instance that has the file in its own build.
  shared_at timestamptz not null,

  constraint browser_file_pkey primary key (path)
);
