-- Every order changes the stock of its parts. With it in no index, and room on their pages, the other indexes stay as they are.
drop index parts_facets;
create index parts_facets on parts (brand, category, per_unit_price) where deleted_at is null;
alter table parts set (fillfactor = 80);

-- A search for orders finds those of deleted parts, too.
drop index parts_part_number_key;
create index parts_part_number_key on parts (part_number_key text_pattern_ops);

create index parts_min_quantity on parts (min_quantity, number) where deleted_at is null;
