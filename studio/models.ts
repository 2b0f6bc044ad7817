import type { Model } from './view.ts'

const files = import.meta.glob<Record<string, () => Model>>('./parts/*.ts')

/** The demo's parts by the names that their pictures have: the file in parts/ and the function there that makes the model. */
const makers: Record<string, [file: string, maker: string]> = {
  chainring: ['chainring', 'chainring'],
  'front-wheel': ['wheel', 'frontWheel'],
  'rear-hub': ['hub', 'rearHub'],
  crankset: ['crankset', 'crankset'],
  cassette: ['cassette', 'cassette'],
  chain: ['chain', 'chain'],
  'rear-derailleur': ['derailleur', 'rearDerailleur'],
  rotor: ['rotor', 'rotor'],
  caliper: ['caliper', 'caliper'],
  'brake-lever': ['brake-lever', 'brakeLever'],
  'brake-pads': ['brake-pads', 'brakePads'],
  spokes: ['spokes', 'spokes'],
  'trail-tyre': ['tyre', 'trailTyre'],
  'gravel-tyre': ['tyre', 'gravelTyre'],
  'inner-tube': ['inner-tube', 'innerTube'],
  'front-hub': ['hub', 'frontHub'],
  stem: ['stem', 'stem'],
  'riser-bar': ['bars', 'riserBar'],
  'drop-bar': ['bars', 'dropBar'],
  grips: ['grips', 'grips'],
  saddle: ['saddle', 'saddle'],
  seatpost: ['seatpost', 'seatpost'],
  'platform-pedals': ['platform-pedals', 'platformPedals'],
  'clipless-pedals': ['clipless-pedals', 'cliplessPedals'],
  'bottom-bracket': ['bottom-bracket', 'bottomBracket'],
  headset: ['headset', 'headset'],
  'suspension-fork': ['suspension-fork', 'suspensionFork'],
  'gravel-fork': ['gravel-fork', 'gravelFork'],
}

export const partNames = Object.keys(makers)

/** A new model of a part; only the file of that part is loaded. */
export async function makeModel(name: string): Promise<Model> {
  const [file, maker] = makers[name] ?? ['', '']
  const load = files[`./parts/${file}.ts`]
  const make = load && (await load())[maker]
  if (!make) throw new Error(`${name} has no model.`)
  return make()
}
