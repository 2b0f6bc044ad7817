import type pg from 'pg'

/** One line for each column, constraint, index, trigger, function, view, sequence and storage option. */
const definitions = `
  select format('column %s.%s.%s %s %s %s %s', table_schema, table_name, column_name, data_type, is_nullable,
    column_default, generation_expression)
    from information_schema.columns where table_schema in ('public', 'identity', 'bank')
  union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(c.oid))
    from pg_constraint c join pg_namespace n on n.oid = connamespace
    where nspname in ('public', 'identity', 'bank') and conrelid <> 0
  union all select format('index %s', indexdef) from pg_indexes where schemaname in ('public', 'identity', 'bank')
  union all select format('trigger %s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
  union all select format('function %s', regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'))
    from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname in ('public', 'identity', 'bank') and prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e')
  union all select format('view %s %s', viewname, definition) from pg_views where schemaname in ('public', 'identity', 'bank')
  union all select format('sequence %s', sequencename) from pg_sequences where schemaname in ('public', 'identity', 'bank')
  union all select format('options %s %s', oid::regclass, reloptions) from pg_class
    where relnamespace = 'public'::regnamespace and reloptions is not null`

/** What the tables of a database are, whatever the order in which they got their columns. */
export async function describeTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query({ text: definitions, rowMode: 'array' })
  return rows.flat().sort()
}
