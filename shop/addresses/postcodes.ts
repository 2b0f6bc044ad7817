/**
 * Postcodes of each country that has them, which are also their patterns: a digit stands for any digit, a capital for any letter, and a
 * small letter for either. The country's own code at the beginning is what it is. The first one is the example.
 */
// biome-ignore format: a table
const examples: Record<string, string> = {
  AD: 'AD500', AF: '1001', AI: 'AI-2640', AL: '1001', AM: '0010', AR: '1425|C1425CLA', AS: '96799|96799-1234', AT: '1010',
  AU: '2000', AX: '22100', AZ: '1000', BA: '71000', BB: 'BB11000', BD: '1340', BE: '1000', BG: '1000', BH: '317|1216',
  BL: '97133', BM: 'HM 12|HM GX', BN: 'BT2328', BR: '01310-100', BT: '11001', BY: '220050', CA: 'K1A 0B1', CC: '6799',
  CH: '8001', CL: '8320000', CN: '100000', CO: '110111', CR: '10101', CU: '10400', CV: '7600', CX: '6798', CY: '1010',
  CZ: '110 00', DE: '28195', DK: '1050', DO: '10101', DZ: '16000', EC: '170515', EE: '10111', EG: '11511|1234567',
  EH: '70000', ES: '28001', ET: '1000', FI: '00100', FK: 'FIQQ 1ZZ', FM: '96941|96941-1234', FO: '100', FR: '75001',
  GB: 'SW1A 1AA|W1A 0AX|M1 1AE|B33 8TH|CR2 6XH|DN55 1PT', GE: '0108', GF: '97300', GG: 'GY1 1AA|GY10 1AA', GI: 'GX11 1AA',
  GL: '3900', GN: '001', GP: '97100', GR: '105 57', GS: 'SIQQ 1ZZ', GT: '01001', GU: '96910|96910-1234', GW: '1000',
  HN: '11101', HR: '10000', HT: '6110', HU: '1051', ID: '10110', IE: 'D02 af30|D6W af30', IL: '6100001|61000',
  IM: 'IM1 1AA|IM99 1PS', IN: '110001', IO: 'BBND 1ZZ', IQ: '10001', IR: '11936-53471', IS: '101', IT: '00144',
  JE: 'JE2 3XP', JO: '11110', JP: '100-0001', KE: '00100', KG: '720001', KH: '120101|12000', KR: '04524', KW: '13001',
  KY: 'KY1-1100', KZ: '050000|A05E1B2', LA: '01000', LB: '1100|2038 3054', LI: '9490', LK: '00100', LR: '1000', LS: '100',
  LT: '01001', LU: '1009', LV: 'LV-1010', MA: '10000', MC: '98000', MD: '2001', ME: '81000', MF: '97150', MG: '101',
  MH: '96960|96960-1234', MK: '1000', MM: '11181', MN: '14200', MP: '96950|96950-1234', MQ: '97200', MT: 'VLT 1117',
  MU: '11302', MV: '20026', MX: '06000', MY: '50000', MZ: '1100|1100-123', NA: '10001', NC: '98800', NE: '8001', NF: '2899',
  NG: '100001', NI: '11001', NL: '1012 AB', NO: '0150', NP: '44600', NZ: '6011', OM: '112', PA: '0801', PE: '15001',
  PF: '98714', PG: '111', PH: '1000', PK: '44000', PL: '00-950', PM: '97500', PN: 'PCRN 1ZZ', PR: '00901|00901-1234',
  PT: '1000-205', PW: '96940|96940-1234', PY: '1001|001001', RE: '97400', RO: '010011', RS: '11000|105104', RU: '101000',
  SA: '11564|11564-1234', SD: '11111', SE: '114 55', SG: '018956', SH: 'STHL 1ZZ', SI: '1000', SJ: '9170', SK: '811 01',
  SM: '47890', SN: '12500', SV: '1101', SZ: 'H100', TC: 'TKCA 1ZZ', TH: '10100', TJ: '735450', TM: '744000', TN: '1002',
  TR: '34010', TT: '120110', TW: '106409|10617|106', TZ: '11101', UA: '01001', US: '97201|97201-1234', UY: '11000',
  UZ: '100000', VA: '00120', VC: 'VC0100', VE: '1010', VG: 'VG1110', VI: '00802|00802-1234', VN: '10000|100000', WF: '98600',
  XK: '10000', YT: '97600', ZA: '0001', ZM: '10101',
}

export function hasPostcodes(country: string) {
  return Object.hasOwn(examples, country)
}

/** As people there write it: `sw1a1aa` becomes `SW1A 1AA`. Null for what is no postcode of the country. */
export function formatPostcode(country: string, typed: string): string | null {
  const text = compact(typed)
  // As in `D-28195` and `LV-1010`, with and without the country.
  const readings = [text, country + text, text.replace(/^[A-Z]{1,3}(?=\d)/, '')]
  for (const reading of readings)
    for (const example of listExamples(country))
      if (isLike(example, country, reading)) return writeLike(example, reading)
  return null
}

/** Why it cannot be a postcode of the country; undefined for one that can. */
export function findPostcodeProblem(country: string, typed: string): string | undefined {
  if (!hasPostcodes(country)) return 'This country has no postcodes. Leave this empty.'
  if (formatPostcode(country, typed) !== null) return undefined
  return `Enter a postcode such as ${listExamples(country)[0]!.toUpperCase()}`
}

function listExamples(country: string) {
  return hasPostcodes(country) ? examples[country]!.split('|') : []
}

function compact(text: string) {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s.–-]/g, '')
}

function isLike(example: string, country: string, text: string) {
  const pattern = example.replace(/[ -]/g, '')
  const fixed = pattern.startsWith(country) ? country.length : 0
  return (
    pattern.length === text.length &&
    text.startsWith(pattern.slice(0, fixed)) &&
    [...pattern].every((sign, at) => at < fixed || classify(sign).test(text[at]!))
  )
}

function classify(sign: string) {
  if (/\d/.test(sign)) return /^\d$/
  return /[A-Z]/.test(sign) ? /^[A-Z]$/ : /^[A-Z\d]$/
}

/** With the spaces and dashes of the example. */
function writeLike(example: string, text: string) {
  let at = 0
  return [...example].map((sign) => (sign === ' ' || sign === '-' ? sign : text[at++])).join('')
}
