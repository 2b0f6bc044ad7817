const brands = [
  ...['Aldermoor', 'Longbarrow', 'Stillbrook', 'Fernholt', 'Ostrand', 'Kettlewick', 'Harrowgate', 'Millrace'],
  ...['Crossfell', 'Dunmere', 'Eastwold', 'Farrow', 'Greyling', 'Hawkesend', 'Inglenook', 'Juniper Works'],
  ...['Kestrel & Sons', 'Larkhill', 'Marlpit', 'Netherby', 'Oxbow', 'Pennard', 'Quillon', 'Ridgeway'],
]

export const firsts = `
  Al Am An Ar Ash Bar Bel Ben Bir Bos Bram Bri Bur Cal Car Cas Ched Cor Crag Dal Dar Den Dor Dun Eas
  Edge El Em Ever Fal Far Fen Fir Gal Gar Glen Gor Gran Grim Hal Ham Hart Hazel Hol Hun Ing Ivy Jas
  Kel Ken Kes Kin Lam Lang Lin Loch Lon Mal Mar Mel Mer Mid Mill Mor Nev Nor Oak Or Os Pel Pem Pen
  Quar Raven Red Rock Ros Rush Sand Sel Sher Sil Som Stan Tal Tam Tel Thorn Tor Ulver Up Val Ver Wal
  Wes Whit Win Wol Yar York
`
  .trim()
  .split(/\s+/)
export const seconds = `
  acre ara aston beck berg borough bourne bridge brook bury by cester cliff combe cott crest croft
  dale dean den don drake erne ey fell field flow ford frith garth gate gill grove ham haven hythe
  hurst ian ing keld land ley low mere minster mond mont moor more mouth on ora port ridge row shaw
  shore side stead stone thorpe ton vale way well wick wold worth
`
  .trim()
  .split(/\s+/)

const kinds: { category: string; names: string[]; from: number; to: number }[] = [
  { category: 'Drivetrain', names: ['Chain', 'Chainring', 'Cassette', 'Crankset'], from: 18, to: 240 },
  { category: 'Drivetrain', names: ['Rear Derailleur', 'Front Derailleur', 'Shifter'], from: 30, to: 320 },
  { category: 'Wheels', names: ['Front Wheel', 'Rear Wheel', 'Rim', 'Spokes'], from: 6, to: 900 },
  { category: 'Hubs', names: ['Front Hub', 'Rear Hub', 'Freehub Body'], from: 24, to: 290 },
  {
    category: 'Brakes',
    names: ['Rotor', 'Caliper', 'Brake Lever', 'Disc Pads', 'Brake Hose'],
    from: 5,
    to: 160,
  },
  { category: 'Tyres', names: ['Trail Tyre', 'Gravel Tyre', 'Road Tyre', 'Inner Tube'], from: 3, to: 80 },
  {
    category: 'Cockpit',
    names: ['Stem', 'Riser Handlebar', 'Drop Bar', 'Grips', 'Bar Tape'],
    from: 9,
    to: 260,
  },
  { category: 'Saddles & Seatposts', names: ['Saddle', 'Seatpost', 'Dropper Post'], from: 20, to: 300 },
  { category: 'Pedals', names: ['Platform Pedals', 'Clipless Pedals', 'Cleats'], from: 12, to: 180 },
  { category: 'Bearings', names: ['Bottom Bracket', 'Headset', 'Hub Bearings'], from: 8, to: 140 },
  { category: 'Forks', names: ['Suspension Fork', 'Rigid Fork'], from: 120, to: 990 },
  {
    category: 'Tools',
    names: ['Chain Tool', 'Torque Wrench', 'Tyre Levers', 'Track Pump'],
    from: 4,
    to: 120,
  },
]

const models = [
  'Trail',
  'Gravel',
  'Race',
  'Touring',
  'Workshop',
  'Enduro',
  'City',
  'Sprint',
  'Alpine',
  'Classic',
]
const sizes = [
  '32H',
  '28H',
  '11-51T',
  '10-36T',
  '180 mm',
  '160 mm',
  '27.2 mm',
  '31.8 mm',
  '42T',
  '700 x 45',
  '29 x 2.4',
]
const materials = [
  '7075 alloy',
  '6061 alloy',
  'carbon',
  'chromoly steel',
  'stainless steel',
  'titanium',
  'nylon',
]
const traits = [
  'sealed cartridge',
  'anodised',
  'tubeless-ready',
  'replaceable',
  'forged',
  'butted',
  'tapered',
  'splined',
]
const uses = [
  'workshops',
  'long service',
  'wet winters',
  'rental fleets',
  'e-bikes',
  'school fleets',
  'racing',
]
const processes = ['Machined', 'Cold-forged', 'Moulded', 'Pressed', 'Laid up', 'Extruded', 'Turned', 'Welded']
const closing = [
  'Mounting bolts included, 5 Nm.',
  'Weighed before boxing; replace bearings every two years.',
  'Supplied with spacers and a printed drawing.',
  'Tested to 100,000 cycles on our own bench.',
  'Bolts, washers and threadlock included.',
  'Edges deburred by hand; finish darkens with use.',
]

/** `count` parts with distinct names; deterministic. */
export function catalogue(count: number) {
  const random = randomFrom(1992)
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)]!
  return Array.from({ length: count }, (_, i) => {
    const { category, names, from, to } = pick(kinds)
    const kind = pick(names)
    const material = pick(materials)
    const minQuantity = 2 + Math.floor(random() * 60)
    return {
      name: `${pick(firsts)}${pick(seconds)} ${pick(models)} ${kind} ${pick(sizes)} ${String.fromCharCode(65 + (i % 26))}${100 + Math.floor(i / 26)}`,
      shortDescription: `${pick(traits)} ${kind.toLowerCase()} in ${material} for ${pick(uses)}.`,
      description:
        `${pick(processes)} from ${material} with ${pick(traits)} and ${pick(traits)} parts, made for ${pick(uses)} and ` +
        `${pick(uses)}. Fits ${pick(sizes)} and ${pick(sizes)}; ${100 + Math.floor(random() * 900)} g without packaging. ${pick(closing)}`,
      image: '/images/chain.webp',
      brand: pick(brands),
      category,
      minQuantity,
      availableQuantity: Math.floor(random() * 4000 * (random() < 0.1 ? 0 : 1)),
      perUnitPrice: from + Math.floor(random() ** 2 * (to - from)),
    }
  })
}

export function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
