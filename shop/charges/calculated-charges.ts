import type { Charges, TaxLine } from './charges.ts'
import type { TaxCalculation } from './tax-service.ts'

/** What the tax service has calculated, on top of charges without tax. */
export function addCalculatedTax(net: Charges, calculation: TaxCalculation): Charges {
  const lines = net.lines.map(({ net }, i) => ({ net, ...calculation.lines[i]! }))
  const delivery = net.delivery > 0 ? [{ net: net.delivery, ...calculation.delivery }] : []
  const taxed = [...lines, ...delivery]
  const alike = Map.groupBy(taxed, ({ rate, reason }) => JSON.stringify([rate, reason]))
  const tax = sum(taxed.map(({ tax }) => tax))
  return {
    ...net,
    tax,
    total: net.goods + net.delivery + tax,
    lines,
    deliveryTax: sum(delivery.map(({ tax }) => tax)),
    taxes: [...alike.values()].map((group): TaxLine => {
      const [{ net: _, ...named }] = group as [(typeof taxed)[number]]
      return { ...named, base: sum(group.map(({ net }) => net)), tax: sum(group.map(({ tax }) => tax)) }
    }),
  }
}

function sum(numbers: number[]) {
  return numbers.reduce((all, number) => all + number, 0)
}
