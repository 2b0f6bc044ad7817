import { useRouteLoaderData } from 'react-router'
import type { Pricing } from '#shop/charges/pricing.server.ts'
import type { ShopSettings } from '#shop/settings/settings.ts'
import { brand } from './brand.ts'

export type Company = ShopSettings['company']

const seed: Company = { name: brand.name, ...brand.contact }

/** As admins set it; on the page of an error that the root’s loader had, that of the brand. */
export function useCompany(): Company {
  return useRouteLoaderData<{ company: Company }>('root')?.company ?? seed
}

/** What is said beside prices; null when goods are all that is ever charged. */
export function usePricing(): Pricing | null {
  return useRouteLoaderData<{ pricing: Pricing | null }>('root')?.pricing ?? null
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

/** For a page’s `meta`. */
export function companyIn(matches: Matches): Company {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { company: Company } | undefined
  return root?.company ?? seed
}
