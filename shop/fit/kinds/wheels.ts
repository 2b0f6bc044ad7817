import {
  choiceFact,
  numberFact,
  shisFact,
  sizeFact,
  sizesFact,
  spanFact,
  yesNoFact,
} from '#shop/fit/facts.ts'
import type { KindRow } from '#shop/fit/interface.ts'

const valves = ['Presta', 'Schrader', 'Dunlop']
const axles = ['QR', 'thru']
const positions = ['road', 'mountain']
const ends = ['front', 'rear']
const spokeHeads = ['J-bend', 'straight']

export const wheelKinds: KindRow[] = [
  {
    id: 'axle-ends',
    label: 'Hub axle',
    about: 'The axle of a hub by diameter and width, and the sizes that its own end-cap kits make of it.',
    role: 'needs',
    facts: [
      sizeFact('size', 'Diameter and width'),
      choiceFact('axle', 'Axle', axles),
      sizesFact('kits', 'Sizes with its own end-cap kits'),
      choiceFact('rotor', 'Rotor position', positions),
      choiceFact('end', 'Front or rear', ends),
    ],
  },
  {
    id: 'dropouts',
    label: 'Dropouts',
    about: 'What a frame or fork offers to a hub.',
    role: 'has',
    facts: [
      sizeFact('size', 'Diameter and width'),
      choiceFact('axle', 'Axle', axles),
      choiceFact('rotor', 'Rotor position', positions),
      choiceFact('end', 'Front or rear', ends),
    ],
  },
  {
    id: 'thru-axle',
    label: 'Thru-axle',
    about: 'A thru-axle as a part.',
    role: 'needs',
    facts: [
      numberFact('diameter', 'Diameter'),
      numberFact('length', 'Length'),
      numberFact('pitch', 'Thread pitch'),
      choiceFact('head', 'Head seat', ['flat', 'conical']),
    ],
  },
  {
    id: 'axle-thread',
    label: 'Thread for a thru-axle',
    about: 'The thru-axle that a frame or fork is made for.',
    role: 'needs',
    facts: [
      numberFact('diameter', 'Diameter'),
      numberFact('length', 'Length'),
      numberFact('pitch', 'Thread pitch'),
      choiceFact('head', 'Head seat', ['flat', 'conical']),
    ],
  },
  {
    id: 'tyre',
    label: 'Tyre',
    about: 'A tyre by its bead seat diameter and width (ETRTO), and what its maker says about rims.',
    role: 'needs',
    wears: true,
    facts: [
      numberFact('diameter', 'Bead seat diameter'),
      numberFact('width', 'Width'),
      spanFact('rims', 'Rim widths inside'),
      yesNoFact('hookless', 'Approved for hookless rims'),
      spanFact('pressure', 'Pressure', 'bar'),
    ],
  },
  {
    id: 'rim',
    label: 'Rim',
    about: 'A rim by its bead seat diameter and width inside, and the tyre widths that its maker allows.',
    role: 'needs',
    facts: [
      numberFact('diameter', 'Bead seat diameter'),
      numberFact('inside', 'Width inside'),
      spanFact('tyres', 'Tyre widths that its maker allows'),
      yesNoFact('hooked', 'Hooked'),
      numberFact('pressure', 'Maximum pressure', 'bar'),
    ],
  },
  {
    id: 'clearance',
    label: 'Tyre clearance',
    about: 'The widest tyre that a frame or fork takes at a bead seat diameter.',
    role: 'has',
    facts: [numberFact('diameter', 'Bead seat diameter'), numberFact('width', 'Widest tyre')],
  },
  {
    id: 'tube',
    label: 'Inner tube',
    about: 'The tyres that an inner tube is made for.',
    role: 'needs',
    wears: true,
    facts: [numberFact('diameter', 'Bead seat diameter'), spanFact('widths', 'Tyre widths')],
  },
  {
    id: 'valve',
    label: 'Valve',
    about: 'A valve by its kind and length.',
    role: 'needs',
    facts: [choiceFact('valve', 'Valve', valves), numberFact('length', 'Length')],
  },
  {
    id: 'valve-hole',
    label: 'Valve hole',
    about: 'The hole of a rim for a valve, and the depth of the rim.',
    role: 'has',
    facts: [choiceFact('valve', 'Valve', valves), numberFact('depth', 'Rim depth')],
  },
  {
    id: 'spoke',
    label: 'Spoke',
    about: 'A spoke by its length and head.',
    role: 'needs',
    facts: [numberFact('length', 'Length'), choiceFact('head', 'Head', spokeHeads)],
  },
  {
    id: 'drilling',
    label: 'Rim drilling',
    about: 'The spoke holes of a rim and its effective rim diameter (ERD).',
    role: 'needs',
    facts: [numberFact('holes', 'Holes', ''), numberFact('erd', 'ERD')],
  },
  {
    id: 'flanges',
    label: 'Hub flanges',
    about: 'The spoke holes of a hub and where its flanges are.',
    role: 'needs',
    facts: [
      numberFact('holes', 'Holes', ''),
      numberFact('left', 'Flange circle, left'),
      numberFact('right', 'Flange circle, right'),
      numberFact('leftOffset', 'Centre to flange, left'),
      numberFact('rightOffset', 'Centre to flange, right'),
      numberFact('hole', 'Spoke hole'),
      choiceFact('head', 'Spoke head', spokeHeads),
    ],
  },
  {
    id: 'lacing',
    label: 'Lacing',
    about: 'How often each spoke of a wheel crosses others.',
    role: 'has',
    facts: [numberFact('crosses', 'Crosses', '')],
  },
  {
    id: 'headset',
    label: 'Headset',
    about: 'A headset by the S.H.I.S. code of each end: type, bore, and steerer or crown race.',
    role: 'needs',
    facts: [
      shisFact('upper', 'Upper end', 'EC34/28.6'),
      shisFact('lower', 'Lower end', 'EC44/40'),
      choiceFact('upperAngles', 'Upper bearing’s angles', ['36x45', '45x45', '36x36']),
      choiceFact('lowerAngles', 'Lower bearing’s angles', ['36x45', '45x45', '36x36']),
    ],
  },
  {
    id: 'head-tube',
    label: 'Head tube',
    about: 'A frame’s head tube by the S.H.I.S. code of each end.',
    role: 'needs',
    facts: [
      shisFact('upper', 'Upper end', 'EC34'),
      shisFact('lower', 'Lower end', 'EC44'),
      choiceFact('upperAngles', 'Upper bearing’s angles', ['36x45', '45x45', '36x36']),
      choiceFact('lowerAngles', 'Lower bearing’s angles', ['36x45', '45x45', '36x36']),
    ],
  },
]
