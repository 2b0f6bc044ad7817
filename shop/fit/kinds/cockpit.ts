import { choiceFact, choicesFact, numberFact, numbersFact, spanFact, wordFact } from '#shop/fit/facts.ts'
import type { KindRow } from '#shop/fit/interface.ts'

const rotorMounts = ['six-bolt', 'Center Lock']
const caliperMounts = ['post', 'IS', 'flat']
const rails = ['round 7', 'oval 7x9', 'oval 7x10']
const materials = ['alloy', 'steel', 'carbon']

export const cockpitKinds: KindRow[] = [
  {
    id: 'rotor',
    label: 'Rotor',
    about: 'A brake rotor by its mount and diameter.',
    role: 'needs',
    wears: true,
    facts: [choiceFact('mount', 'Mount', rotorMounts), numberFact('diameter', 'Diameter')],
  },
  {
    id: 'rotor-mount',
    label: 'Hub’s rotor mount',
    about: 'What a hub offers to a rotor: six bolts on a 44 mm circle, or Center Lock.',
    role: 'has',
    facts: [choiceFact('mount', 'Mount', rotorMounts)],
  },
  {
    id: 'caliper',
    label: 'Caliper',
    about: 'A brake caliper by its mount and the rotors that it takes.',
    role: 'needs',
    facts: [choiceFact('mount', 'Mount', caliperMounts), spanFact('rotors', 'Rotors')],
  },
  {
    id: 'brake-mount',
    label: 'Brake mount',
    about:
      'What a frame or fork offers to a caliper: post mount 74 mm, IS 51 mm or flat mount, and its rotors.',
    role: 'has',
    facts: [
      choiceFact('mount', 'Mount', caliperMounts),
      numberFact('native', 'Rotor without an adapter'),
      numberFact('largest', 'Largest rotor'),
    ],
  },
  {
    id: 'pads',
    label: 'Brake pads',
    about: 'The shape of brake pads, as the maker of the caliper names it.',
    role: 'needs',
    wears: true,
    facts: [wordFact('shape', 'Shape')],
  },
  {
    id: 'pad-slot',
    label: 'Caliper’s pads',
    about: 'The shape of pads that a caliper takes, as its maker names it.',
    role: 'needs',
    facts: [wordFact('shape', 'Shape')],
  },
  {
    id: 'lever-hydraulics',
    label: 'Brake lever’s hydraulics',
    about: 'The fluid of a brake lever and the family of calipers that its maker names.',
    role: 'needs',
    facts: [choiceFact('fluid', 'Fluid', ['mineral oil', 'DOT']), wordFact('family', 'Family')],
  },
  {
    id: 'caliper-hydraulics',
    label: 'Caliper’s hydraulics',
    about: 'The fluid of a caliper and the family of levers that its maker names.',
    role: 'needs',
    facts: [choiceFact('fluid', 'Fluid', ['mineral oil', 'DOT']), wordFact('family', 'Family')],
  },
  {
    id: 'bar-clamp',
    label: 'Bar’s clamp zone',
    about: 'The diameter of a handlebar where the stem holds it.',
    role: 'needs',
    facts: [numberFact('diameter', 'Diameter')],
  },
  {
    id: 'stem-clamp',
    label: 'Stem’s bar clamp',
    about: 'The bar that a stem holds, and smaller bars that its maker allows with a shim.',
    role: 'needs',
    facts: [numberFact('diameter', 'Diameter'), numbersFact('shims', 'Bars with a shim')],
  },
  {
    id: 'stem-steerer',
    label: 'Stem’s steerer clamp',
    about: 'The steerer that a stem holds, and smaller steerers that its maker allows with a shim.',
    role: 'needs',
    facts: [numberFact('diameter', 'Diameter'), numbersFact('shims', 'Steerers with a shim')],
  },
  {
    id: 'steerer',
    label: 'Steerer',
    about: 'A fork’s steerer where the stem holds it, and the seat of its crown race.',
    role: 'needs',
    facts: [
      numberFact('diameter', 'Diameter above'),
      numberFact('race', 'Crown race'),
      choiceFact('material', 'Material', materials),
    ],
  },
  {
    id: 'grip-zone',
    label: 'Grip zone',
    about:
      'The diameter of a handlebar where grips and levers are: 22.2 mm on flat bars, 23.8 to 24.2 mm on drop bars.',
    role: 'has',
    facts: [spanFact('diameter', 'Diameter')],
  },
  {
    id: 'grip-bore',
    label: 'Bore of a grip or lever',
    about: 'The bars that a grip or a lever’s clamp is made for.',
    role: 'needs',
    facts: [spanFact('diameter', 'Diameter')],
  },
  {
    id: 'post',
    label: 'Seatpost',
    about: 'A seatpost by its diameter and the least length that must be in the frame.',
    role: 'needs',
    facts: [numberFact('diameter', 'Diameter'), numberFact('insertion', 'Minimum insertion')],
  },
  {
    id: 'seat-tube',
    label: 'Seat tube',
    about: 'The post that a frame’s seat tube is made for.',
    role: 'needs',
    facts: [numberFact('diameter', 'Diameter'), numberFact('depth', 'Room for the post')],
  },
  {
    id: 'rails',
    label: 'Saddle rails',
    about: 'The rails of a saddle: round 7 mm, oval 7 × 9 mm or oval 7 × 10 mm.',
    role: 'needs',
    facts: [choiceFact('rails', 'Rails', rails)],
  },
  {
    id: 'rail-clamp',
    label: 'Rail clamp',
    about: 'The rails that the head of a seatpost takes.',
    role: 'needs',
    facts: [choicesFact('rails', 'Rails', rails)],
  },
]
