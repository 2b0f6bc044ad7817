/** What customers call parts: a phrase, and terms to search for instead, each with alternatives. */
// biome-ignore format: a table
export const synonyms: readonly { phrase: string; terms: string[][] }[] = [
  { phrase: 'disc brake', terms: [['brake'], ['disc', 'rotor', 'caliper', 'lever']] },
  { phrase: 'disk brake', terms: [['brake'], ['disc', 'rotor', 'caliper', 'lever']] },
  { phrase: 'brake disc', terms: [['brake'], ['disc', 'rotor']] },
  { phrase: 'handlebar',  terms: [['handlebar', 'bar']] },
  { phrase: 'mech',       terms: [['mech', 'derailleur']] },
  { phrase: 'bb',         terms: [['bottom'], ['bracket']] },
]

/** Brands of other makers, which look like misspelled words of our parts. Where one is sold, it is found before any correction. */
export const otherBrands: ReadonlySet<string> = new Set(
  `campagnolo cane chromag continental deore force look magura mavic maxxis michelin park pirelli rockshox schwalbe selle shimano
  sram stans time trek vittoria zipp`.split(/\s+/),
)
