/** Without a line break inside short hyphenated words such as 12-Speed, or in measures such as 12 x 148 mm. */
export function PartName({ name }: { name: string }) {
  return name.split(unbroken).map((text, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
      <span key={i} className="whitespace-nowrap">
        {text}
      </span>
    ) : (
      text
    ),
  )
}

const number = String.raw`\d[\d.,]*`
const unit = '(?:mm|cm|m|g|kg)'
const unbroken = new RegExp(
  String.raw`(?<!\S)([^\s-]{1,8}-[^\s-]{1,8}|${number} x ${number}(?: ${unit},?)?|${number} ${unit},?)(?!\S)`,
)
