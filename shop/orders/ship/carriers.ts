const known = ['DHL', 'UPS', 'FedEx', 'DPD', 'GLS', 'USPS', 'Royal Mail'] as const
export type Carrier = (typeof known)[number]

/** Those with a tracking page; tracking-url.ts has it, which browsers need not load. */
export const carriers: readonly string[] = known

/** As `carriers` writes it, for a known one in any case. */
export function carrierName(typed: string): string {
  return carriers.find((carrier) => carrier.toLowerCase() === typed.toLowerCase()) ?? typed
}
