-- How many ranges of a directory server's last answer were not of their form and are left out: `kontor doctor` says so. Null: not known.
alter table three_ds_directory add column left_out integer;
