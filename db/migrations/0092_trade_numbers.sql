-- The number of a part in trade (GTIN-8, 12, 13 or 14), as digits; null is unknown.
alter table parts add column gtin text check (gtin ~ '^[0-9]{8}$|^[0-9]{12,14}$');
