-- SHA-256 of the file as it was applied; null until a version that stores it has started.
alter table migrations add column checksum text;
