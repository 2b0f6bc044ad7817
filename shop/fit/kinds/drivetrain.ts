import {
  choiceFact,
  choicesFact,
  numberFact,
  numbersFact,
  spanFact,
  wordFact,
  wordsFact,
} from '#shop/fit/facts.ts'
import type { KindRow } from '#shop/fit/interface.ts'

const bodies = ['HG', 'HG-road11', 'HG-L2', 'Micro Spline', 'XD', 'XDR', 'Campagnolo', 'N3W']
const spindles = ['24', '24/22', '28.99', '30', 'square JIS', 'square ISO']
const shells = ['BSA', 'Italian', 'T47', 'BB30', 'PF30', 'BB86/BB92', 'BBRight']
const bearings = ['inside', 'outside']
const ringStyles = ['bolt circle', 'direct']
const threads = ['9/16x20', '1/2x20']

export const drivetrainKinds: KindRow[] = [
  {
    id: 'freehub',
    label: 'Freehub body',
    about: 'The splined body of a rear hub that a cassette slides or screws onto.',
    role: 'has',
    facts: [choiceFact('body', 'Body', bodies)],
  },
  {
    id: 'cassette-mount',
    label: 'Cassette mount',
    about: 'What a cassette needs of the freehub body.',
    role: 'needs',
    wears: true,
    facts: [
      choiceFact('body', 'Body', bodies),
      choicesFact('also', 'Other bodies that its maker names', bodies),
      numberFact('spacer', 'Spacer that its maker asks for besides'),
    ],
  },
  {
    id: 'cogs',
    label: 'Cogs',
    about: 'The cogs of a cassette, and the chains that its maker allows.',
    role: 'needs',
    facts: [
      numberFact('speeds', 'Speeds', ''),
      numberFact('smallest', 'Smallest cog', 'T'),
      numberFact('largest', 'Largest cog', 'T'),
      wordsFact('chains', 'Chain families that its maker allows'),
      wordsFact('not', 'Chain families that its maker excludes'),
    ],
  },
  {
    id: 'chain',
    label: 'Chain',
    about: 'A chain by its speeds and its family as its maker names it, such as HG, Eagle or Flattop.',
    role: 'needs',
    wears: true,
    facts: [numberFact('speeds', 'Speeds', ''), wordFact('family', 'Family')],
  },
  {
    id: 'rings',
    label: 'Chainrings',
    about: 'The teeth of one or more chainrings, and the speeds of chains that run on them.',
    role: 'has',
    facts: [
      numberFact('largest', 'Largest ring', 'T'),
      numberFact('smallest', 'Smallest ring', 'T'),
      spanFact('speeds', 'Speeds', ''),
    ],
  },
  {
    id: 'ring-fit',
    label: 'Chainring mount',
    about: 'How a chainring is fixed to a crank: by a bolt circle, or by a pattern of its maker.',
    role: 'needs',
    wears: true,
    facts: [
      choiceFact('style', 'Style', ringStyles),
      numberFact('circle', 'Bolt circle'),
      numberFact('bolts', 'Bolts', ''),
      wordFact('pattern', 'Direct-mount pattern'),
    ],
  },
  {
    id: 'ring-seat',
    label: 'Crank’s seat for chainrings',
    about: 'What a crank or spider offers to a chainring.',
    role: 'has',
    facts: [
      choiceFact('style', 'Style', ringStyles),
      numberFact('circle', 'Bolt circle'),
      numberFact('bolts', 'Bolts', ''),
      wordFact('pattern', 'Direct-mount pattern'),
      numberFact('chainline', 'Chainline'),
    ],
  },
  {
    id: 'derailleur',
    label: 'Rear derailleur',
    about: 'The cogs and teeth that a rear derailleur can take up.',
    role: 'needs',
    facts: [
      numberFact('speeds', 'Speeds', ''),
      spanFact('cog', 'Largest cog, from the smallest to the largest allowed', 'T'),
      numberFact('capacity', 'Total capacity', 'T'),
    ],
  },
  {
    id: 'actuation',
    label: 'Derailleur actuation',
    about:
      'What pulls a derailleur, by family as its maker names it; cable pull in millimetres isn’t compared.',
    role: 'needs',
    facts: [wordFact('family', 'Family'), numberFact('speeds', 'Speeds', '')],
  },
  {
    id: 'shifter',
    label: 'Shifter',
    about: 'What a shifter pulls, by family as its maker names it.',
    role: 'needs',
    facts: [wordFact('family', 'Family'), numberFact('speeds', 'Speeds', '')],
  },
  {
    id: 'hanger-mount',
    label: 'Derailleur mount',
    about: 'What a rear derailleur needs of the frame.',
    role: 'needs',
    facts: [choiceFact('mount', 'Mount', ['standard', 'direct', 'full'])],
  },
  {
    id: 'hanger',
    label: 'Derailleur hanger',
    about: 'What a frame offers to a rear derailleur.',
    role: 'has',
    facts: [choiceFact('mount', 'Mount', ['standard', 'direct', 'UDH'])],
  },
  {
    id: 'bottom-bracket',
    label: 'Bottom bracket',
    about: 'A bottom bracket by the shell that it goes into and the spindle that runs in it.',
    role: 'needs',
    facts: [
      choiceFact('shell', 'Shell', shells),
      numbersFact('widths', 'Shell widths'),
      choiceFact('bearings', 'Bearings', bearings),
    ],
  },
  {
    id: 'shell',
    label: 'Bottom bracket shell',
    about: 'The shell of a frame: BSA 1.37″ × 24 tpi, Italian 36 mm × 24 tpi, T47, or a bore to press into.',
    role: 'has',
    facts: [
      choiceFact('shell', 'Shell', shells),
      numberFact('width', 'Width'),
      choiceFact('bearings', 'Bearings', bearings),
    ],
  },
  {
    id: 'spindle-bore',
    label: 'Bottom bracket’s bore',
    about: 'The spindle that a bottom bracket is made for.',
    role: 'has',
    facts: [choiceFact('spindle', 'Spindle', spindles), numbersFact('widths', 'Shell widths')],
  },
  {
    id: 'spindle',
    label: 'Crank spindle',
    about: 'The spindle of a crank in mm or by its square, and the shell widths that it is long enough for.',
    role: 'needs',
    facts: [choiceFact('spindle', 'Spindle', spindles), numbersFact('widths', 'Shell widths')],
  },
  {
    id: 'crank-thread',
    label: 'Pedal thread of a crank',
    about: 'The thread in a crank arm.',
    role: 'has',
    facts: [choiceFact('thread', 'Thread', threads)],
  },
  {
    id: 'pedal-thread',
    label: 'Pedal thread',
    about: 'The thread of a pedal axle.',
    role: 'needs',
    facts: [choiceFact('thread', 'Thread', threads)],
  },
  {
    id: 'cleat',
    label: 'Cleat',
    about: 'The cleat of a clipless pedal.',
    role: 'needs',
    facts: [choiceFact('bolts', 'Bolts', ['two-bolt', 'three-bolt'])],
  },
  {
    id: 'sole',
    label: 'Shoe sole',
    about: 'The drilling of a shoe’s sole for cleats.',
    role: 'has',
    facts: [choiceFact('bolts', 'Bolts', ['two-bolt', 'three-bolt'])],
  },
]
