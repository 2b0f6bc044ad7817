import { SelectField } from '#app/ui/field.tsx'
import { findKind, interfaceKinds } from '#shop/fit/vocabulary.ts'

const kinds = interfaceKinds.toSorted((a, b) => (a.label < b.label ? -1 : 1))

interface Props {
  label: string
  optional?: boolean
  /** Of a kind of the vocabulary; empty for none. */
  value: string
  onChoose: (id: string) => void
}

export function KindField({ label, optional = false, value, onChoose }: Props) {
  return (
    <SelectField
      label={label}
      value={value}
      hint={findKind(value)?.about}
      optional={optional}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">Choose a kind</option>
      {kinds.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
