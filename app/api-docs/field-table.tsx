import type { OutlineField } from '#api/docs/schema-outline.ts'

interface Props {
  title: string
  fields: OutlineField[]
  /** Responses have no optional fields that matter. */
  isRequest?: boolean
}

const heads = ['Name', 'Type', 'Required', 'Meaning']
const shownAtOnce = 6

/** A long response is closed until it is wanted. */
export function FieldTable({ title, fields, isRequest = false }: Props) {
  if (fields.length === 0) return null
  if (isRequest || fields.length <= shownAtOnce)
    return (
      <section>
        <h3 className="text-sm font-semibold">{title}</h3>
        <Rows title={title} fields={fields} isRequest={isRequest} />
      </section>
    )
  return (
    <details>
      <summary className="cursor-pointer py-1">
        <h3 className="inline text-sm font-semibold">{title}</h3>{' '}
        <span className="text-sm text-base-content/75">{fields.length} fields</span>
      </summary>
      <Rows title={title} fields={fields} isRequest={isRequest} />
    </details>
  )
}

/** In a narrow place, each field is a block: its name and type, then its meaning. */
function Rows({ title, fields, isRequest }: Required<Props>) {
  const shown = isRequest ? heads : heads.filter((head) => head !== 'Required')
  return (
    <div className="@container">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: blocks of a table lose their roles */}
      <table role="table" aria-label={title} className="mt-1 w-full text-sm @max-2xl:block">
        <thead role="rowgroup" className="@max-2xl:sr-only">
          <tr role="row" className="border-b border-base-300 text-left">
            {shown.map((head) => (
              <th
                key={head}
                role="columnheader"
                scope="col"
                className="py-1.5 pr-4 font-medium text-base-content/75"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-2xl:block">
          {fields.map((field) => (
            <tr
              key={field.name + field.where}
              role="row"
              className="border-b border-base-300 align-top @max-2xl:flex @max-2xl:flex-wrap @max-2xl:gap-x-3 @max-2xl:py-2"
            >
              <td
                role="cell"
                className="max-w-64 font-mono font-semibold wrap-anywhere @2xl:w-[30%] @2xl:py-1.5 @2xl:pr-4"
              >
                {field.name}
              </td>
              <td role="cell" className="text-base-content/75 @2xl:w-[24%] @2xl:py-1.5 @2xl:pr-4">
                {field.kind}
                {field.where && field.where !== 'query' && `, in the ${field.where}`}
              </td>
              {isRequest && (
                <td role="cell" className="@2xl:w-[10%] @2xl:py-1.5 @2xl:pr-4">
                  {field.required ? (
                    <span className="font-medium">
                      <span className="@2xl:hidden">required</span>
                      <span className="@max-2xl:hidden">yes</span>
                    </span>
                  ) : (
                    <span className="text-base-content/75 @max-2xl:hidden">no</span>
                  )}
                </td>
              )}
              <td role="cell" className="@max-2xl:basis-full @2xl:py-1.5">
                {field.meaning}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: blocks of a table lose their roles */}
    </div>
  )
}
