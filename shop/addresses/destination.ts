import { z } from 'zod'
import { optionalName } from '#shop/fields.ts'
import { findRegions, isCountry } from './countries.ts'
import { nameCountry } from './country-name.ts'
import { findPostcodeProblem, formatPostcode } from './postcodes.ts'

/** Besides the street. What is stored of older versions has none of it. */
export interface StoredDestination {
  country: string | null
  region: string | null
  postcode: string | null
  town: string | null
}

/** In responses. Those stored by older versions lack it. */
export const destinationFields = {
  /** Of ISO 3166-1; null in what is older than countries. */
  country: z.string().nullable().default(null),
  /** Of ISO 3166-2, without the country. */
  region: z.string().nullable().default(null),
  postcode: z.string().nullable().default(null),
  town: z.string().nullable().default(null),
}

const code = optionalName(20)
  .transform((text) => text?.toUpperCase())
  .optional()

/** In requests; the country is the shop's if it is absent. */
export const destinationForm = {
  country: code
    .refine((country) => !country || isCountry(country), 'Enter a country code such as US')
    .optional(),
  region: code,
  postcode: optionalName(16),
  town: optionalName(80),
}

/** As typed, or as stored. */
type Typed = { [Name in keyof StoredDestination]?: string | null | undefined }

/** The postcode is as people there write it; null for one that `findDestinationProblems` refuses. */
export function completeDestination(typed: Typed, home: string): StoredDestination {
  const country = typed.country || home
  const postcode = typed.postcode ? formatPostcode(country, typed.postcode) : null
  return { country, region: typed.region || null, postcode, town: typed.town || null }
}

/** By field. */
export function findDestinationProblems({ country, region, postcode }: Typed, home: string) {
  return {
    postcode: postcode ? findPostcodeProblem(country || home, postcode) : undefined,
    region: region ? findRegionProblem(country || home, region) : undefined,
  }
}

function findRegionProblem(country: string, region: string) {
  const listed = findRegions(country)
  if (!listed) return 'Addresses in this country need no region. Leave this empty.'
  if (listed.regions.some(({ code }) => code === region)) return undefined
  return `Choose a ${listed.label.toLowerCase()}, such as ${listed.regions[0]!.code}`
}

/** Countries where the postcode follows the town on its line, or stands below it. In all others it precedes the town. */
const postcodeAfter = new Set(
  `AS AU BB BD BH BM BN BT CA CC CN CO CX FM GU ID IL IN JO JP KH KR KY LB LS LV MH MM MN MP MT MV NF NG NP NZ PE PG PK PR PW SA SG
  SZ TH TW US VC VI VN`.split(/\s+/),
)
const postcodeBelow = new Set(
  'AI BR CR CU EG FK GB GG GI GS HN IE IM IO IQ IR JE KE LK NA PN RU SH TC UA VG ZA'.split(' '),
)

/** `12345 Bremen`, `Portland, OR 97201`, or two lines; then the name of the country if it is not `home`. */
export function listDestination({ country, region, postcode, town }: Typed, home: string | null): string[] {
  const abroad = country && home && country !== home ? nameCountry(country) : null
  const separator = { US: ', ', BR: ' - ' }[country ?? ''] ?? ' '
  const place = joinTexts([town, region], separator)
  return [...orderLines(country ?? '', place, postcode), abroad].flatMap((line) => line || [])
}

function orderLines(country: string, place: string, postcode: string | null | undefined) {
  if (postcodeBelow.has(country)) return [place, postcode]
  return [joinTexts(postcodeAfter.has(country) ? [place, postcode] : [postcode, place], ' ')]
}

function joinTexts(texts: (string | null | undefined)[], separator: string) {
  return texts.filter(Boolean).join(separator)
}
