interface UnitFacts {
  /** Units of one dimension convert into each other. */
  dimension: string
  /** How many of the dimension's first unit it is. */
  factor: number
  /** As people write it, in lower case. */
  names: string[]
  /** Between the number and the unit. */
  gap: ' ' | '-' | ''
  label: string
}

const unitFacts = {
  mm: unit('length', 1, ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'], 'mm'),
  cm: unit('length', 10, ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'], 'cm'),
  m: unit('length', 1000, ['m', 'metre', 'metres', 'meter', 'meters'], 'm'),
  in: unit('length', 25.4, ['in', 'inch', 'inches', '"', "''"], 'in'),
  g: unit('weight', 1, ['g', 'gr', 'gram', 'grams'], 'g'),
  kg: unit('weight', 1000, ['kg', 'kilogram', 'kilograms', 'kilo', 'kilos'], 'kg'),
  oz: unit('weight', 28.349_523_125, ['oz', 'ounce', 'ounces'], 'oz'),
  lb: unit('weight', 453.592_37, ['lb', 'lbs', 'pound', 'pounds'], 'lb'),
  Nm: unit('torque', 1, ['nm', 'n m', 'n·m', 'newton metre', 'newton metres'], 'Nm'),
  bar: unit('pressure', 1, ['bar'], 'bar'),
  psi: unit('pressure', 0.068_947_572_93, ['psi'], 'psi'),
  '°': unit('angle', 1, ['°', 'º', 'deg', 'degree', 'degrees'], '° (degrees)', ''),
  T: unit('teeth', 1, ['t', 'tooth', 'teeth'], 'T (teeth)', ''),
  H: unit('holes', 1, ['h', 'hole', 'holes'], 'H (holes)', ''),
  speed: unit('speeds', 1, ['speed', 'speeds', 's', 'sp', 'spd'], 'speed', '-'),
  tpi: unit('threads', 1, ['tpi', 'threads per inch'], 'tpi (threads per inch)'),
} as const satisfies Record<string, UnitFacts>

export type Unit = keyof typeof unitFacts
export const unitNames = Object.keys(unitFacts) as Unit[]

function unit(
  dimension: string,
  factor: number,
  names: string[],
  label: string,
  gap: UnitFacts['gap'] = ' ',
): UnitFacts {
  return { dimension, factor, names, label, gap }
}

export function describeUnit(name: Unit): string {
  return unitFacts[name].label
}

export interface Measure {
  low: number
  high: number
}

export type Parsed<Value> = { value: Value; error?: undefined } | { value?: undefined; error: string }

const numberText = String.raw`-?(?:\d{1,9}[ -])?\d{1,4}\/\d{1,4}|-?\d{1,9}(?:[.,]\d{1,9})?`
const unitText = `(?:[ -]?([a-z°º"'][a-z°º"'· ]{0,20}))?`
const single = new RegExp(`^(${numberText})${unitText}$`)
const range = new RegExp(`^(${numberText})${unitText} ?(?:-|to|\\.{2,3}) ?(${numberText})${unitText}$`)
const maxLength = 100

/** As people write it, such as `12mm`, `1,5 kg`, `1-1/8"` and, where it `isRange`, `28–50 mm`; in `unit`, whichever unit was written. */
export function parseMeasure(text: string, unit: Unit | null, isRange: boolean): Parsed<Measure> {
  const typed = tidy(text)
  const alone = single.exec(typed)
  if (alone) {
    const parsed = parseOne(alone[1]!, alone[2], unit)
    return parsed.error === undefined ? { value: { low: parsed.value, high: parsed.value } } : parsed
  }
  const [, first = '', firstUnit, second = '', secondUnit] = range.exec(typed) ?? []
  if (first === '' || !isRange) return { error: `Write ${example(unit, isRange)}` }
  const low = parseOne(first, firstUnit ?? secondUnit, unit)
  const high = parseOne(second, secondUnit ?? firstUnit, unit)
  if (low.error !== undefined) return low
  if (high.error !== undefined) return high
  if (low.value > high.value) return { error: 'Write the smaller number first' }
  return { value: { low: low.value, high: high.value } }
}

/** One kind of dashes, quotes, fractions and spaces. */
function tidy(text: string) {
  return (
    text
      .slice(0, maxLength)
      // Otherwise 1½ would become 11/2.
      .replace(/[¼-¾⅐-⅞]/g, ' $&')
      .normalize('NFKC')
      .replace(/[″”“]|′′/g, '"')
      .replace(/[‐‑‒–—−]/g, '-')
      .replaceAll('⁄', '/')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
  )
}

function parseOne(typed: string, typedUnit: string | undefined, unit: Unit | null): Parsed<number> {
  const number = readNumber(typed)
  if (number === null) {
    const [whole, decimals] = typed.split(',')
    return { error: `Write ${whole}${decimals} or ${whole}.${decimals}, without a comma` }
  }
  const name = typedUnit?.trim()
  if (!name) return { value: round(number) }
  if (unit === null) return { error: 'Write a number without a unit' }
  const from = unitNames.find((other) => unitFacts[other].names.includes(name))
  const [{ dimension, factor }, written] = [unitFacts[unit], from && unitFacts[from]]
  if (written?.dimension !== dimension) {
    const known = unitNames.filter((other) => unitFacts[other].dimension === dimension)
    return {
      error: `Write it in ${known.length > 1 ? `${known.slice(0, -1).join(', ')} or ` : ''}${known.at(-1)}`,
    }
  }
  return { value: round((number * written.factor) / factor) }
}

/** Null where a comma can mean thousands or decimals. */
function readNumber(typed: string): number | null {
  const [, sign = '', whole = '0', above, below] = /^(-?)(?:(\d+)[ -])?(\d+)\/(\d+)$/.exec(typed) ?? []
  if (above) return (sign ? -1 : 1) * (Number(whole) + Number(above) / Number(below))
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(typed)) return null
  return Number(typed.replace(',', '.'))
}

function round(number: number) {
  return Math.round(number * 10_000) / 10_000
}

function example(unit: Unit | null, isRange: boolean) {
  return isRange
    ? `a range, such as ${formatMeasure({ low: 28, high: 50 }, unit)}`
    : `one number, such as ${formatMeasure({ low: 12, high: 12 }, unit)}`
}

/** Such as `180 mm`, `42T`, `12-speed` and `28–50 mm`. */
export function formatMeasure({ low, high }: Measure, unit: Unit | null): string {
  const numbers = low === high ? `${low}` : `${low}–${high}`
  return unit === null ? numbers : `${numbers}${unitFacts[unit].gap}${unit}`
}

/** `12 x 148mm` as `12 × 148 mm`, so that one size is written in one way. */
export function tidySizes(text: string) {
  return text
    .replace(/(\d) ?[x×*] ?(?=\d)/gi, '$1 × ')
    .replace(/(\d) ?(mm|cm|kg|nm|bar|psi|tpi)\b/gi, (_, digit, unit: string) => `${digit} ${spell(unit)}`)
}

function spell(unit: string) {
  return unit.toLowerCase() === 'nm' ? 'Nm' : unit.toLowerCase()
}
