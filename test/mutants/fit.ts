import type { Mutant } from './mutant.ts'

type Break = [pair: string, name: string, from: string, to: string]

/** Each pair is a list of cases in the test of the rules, whose titles begin with it. */
function breakRules(folder: string, breaks: Break[]): Mutant[] {
  return breaks.map(([pair, name, from, to]) => ({
    name,
    file: `shop/fit/${folder}.ts`,
    from,
    to,
    test: ['shop/fit/rules.test.ts', pair],
  }))
}

const drivetrain = breakRules('rules/drivetrain', [
  [
    'cassette and freehub',
    'a cassette for the longer body fits the shorter one',
    "{ HG: 'HG-road11', XD",
    "{ HG: 'HG-road11', 'HG-road11': 'HG', XD",
  ],
  [
    'cassette and freehub',
    'a spacer on the longer body is left out',
    'return fitsWith(spacers, `',
    'return fits(`',
  ],
  [
    'cassette and freehub',
    'HG-L2 takes cassettes that do not name it',
    "|| words(cassette, 'also')?.includes(body)",
    "|| body === 'HG-L2'",
  ],
  [
    'chain and cassette',
    'a chain fits a cassette of other speeds',
    "const wanted = readNumber(cogs, 'speeds')",
    "const wanted = speeds ?? readNumber(cogs, 'speeds')",
  ],
  [
    'chain and cassette',
    'a chain fits of which the cassette’s maker says nothing',
    'return isUnclear(`The cassette’s maker says',
    'return fits(`The cassette’s maker says',
  ],
  [
    'chain and cassette',
    'a Flattop chain may fit other cassettes',
    "const isFlattop = sameNameKey(family) === 'flattop'",
    'const isFlattop = false',
  ],
  [
    'chain and cassette',
    'a family that the cassette’s maker excludes may fit',
    "hasName(words(cogs, 'not') ?? [], family)",
    'hasName([], family)',
  ],
  [
    'chain and chainring',
    'every chain fits every ring',
    'const isContained = range && isWithin(speeds, range)',
    'const isContained = range && true',
  ],
  [
    'chainring and crank',
    'a ring fits another bolt circle',
    'circle !== undefined && seat !== undefined && !isSame(circle, seat)',
    'false',
  ],
  [
    'chainring and crank',
    'a ring fits with another number of bolts',
    'bolts !== undefined && holes !== undefined && bolts !== holes',
    'false',
  ],
  [
    'chainring and crank',
    'a ring fits another maker’s direct mount',
    ': doesNotFit(`Direct-mount patterns',
    ': fits(`Direct-mount patterns',
  ],
  [
    'derailleur and cassette',
    'a derailleur reaches every cog',
    'if (isReached === false)',
    'if (isReached === null)',
  ],
  [
    'derailleur and cassette',
    'a derailleur takes up more than its capacity',
    'takes > capacity)',
    'takes > capacity + 10)',
  ],
  [
    'a derailleur whose capacity two rings exceed',
    'the rings do not count for the capacity',
    'Math.max(...differences)',
    'Math.min(0, ...differences)',
  ],
  [
    'derailleur and shifter',
    'a shifter of another family pulls a derailleur',
    'sameNameKey(family) === sameNameKey(pulled) && a === b',
    'a === b',
  ],
  [
    'derailleur and shifter',
    'a shifter of other speeds pulls a derailleur',
    'sameNameKey(pulled) && a === b',
    'sameNameKey(pulled)',
  ],
  [
    'derailleur and frame',
    'a full mount goes on every hanger',
    "return hanger === 'UDH'",
    "return hanger !== ''",
  ],
  [
    'derailleur and frame',
    'a standard mount goes on UDH unasked',
    "return isUnclear('A standard mount",
    "return fits('A standard mount",
  ],
])

const equal = breakRules('rule', [
  ['pedal and crank', 'pedals fit every thread', 'return a === b\n', 'return a !== undefined\n'],
  ['cleat and shoe', 'cleats fit every sole', 'return a === b\n', "return a !== ''\n"],
])

const bearings = breakRules('rules/bearings', [
  [
    'bottom bracket and shell',
    'a bottom bracket fits another kind of shell',
    'if (kind !== shell) return',
    'if (kind === undefined) return',
  ],
  [
    'bottom bracket and shell',
    'a bottom bracket fits every width',
    '!hasAmount(widths, width))',
    '!hasAmount([...widths, width], width))',
  ],
  [
    'bottom bracket and shell',
    'T47 with bearings inside and outside fit one another',
    "kind === 'T47' && a && b && a !== b",
    'false',
  ],
  [
    'crank and bottom bracket',
    'a spindle fits another bore',
    'if (spindle !== bore)',
    'if (!spindle.startsWith(bore))',
  ],
  [
    'crank and bottom bracket',
    'a crank fits wider shells than its own',
    'if (contained.length === 0)',
    'if (contained.length < 0)',
  ],
  [
    'a crank whose spindle is too short for the shell',
    'the shell does not count for the crank',
    "shell === undefined ? amounts(bracket, 'widths') : [shell]",
    "amounts(bracket, 'widths')",
  ],
  [
    'headset and head tube',
    'a headset may fit another bore',
    'if (!isSame(a.bore, b.bore))',
    'if (!isSame(a.bore, a.bore))',
  ],
  [
    'headset and head tube',
    'an integrated end may fit another type',
    "a.type === 'IS' || b.type === 'IS'",
    'false',
  ],
  [
    'headset and head tube',
    'an integrated end fits other angles',
    'return angles === seat',
    "return angles !== ''",
  ],
  [
    'headset and fork',
    'a headset fits every steerer and crown race',
    'if (isSame(wanted, diameter)) return undefined',
    'if (isSame(wanted, wanted)) return undefined',
  ],
  [
    'headset and fork',
    'a headset whose number is missing fits',
    'if (wanted === undefined || diameter === undefined)\n      return isMissing(',
    'if (wanted === undefined || diameter === undefined)\n      return fits(',
  ],
])

const brakes = breakRules('rules/brakes', [
  [
    'rotor and hub',
    'a Center Lock rotor fits six bolts with an adapter',
    "return mount === 'six-bolt'",
    "return mount !== ''",
  ],
  [
    'rotor and mount',
    'a rotor that is smaller than the native one fits',
    'if (diameter < native) return',
    'if (diameter < 0) return',
  ],
  [
    'rotor and mount',
    'a rotor that is larger than the largest fits',
    'diameter > largest && ',
    'diameter > largest + 100 && ',
  ],
  [
    'rotor and caliper',
    'a caliper takes every rotor',
    'return isTaken ? fits(text) : doesNotFit(text)',
    'return fits(text)',
  ],
  [
    'caliper and mount',
    'a post-mount caliper fits a flat mount with an adapter',
    "return mount === 'post' && seat === 'IS'",
    "return mount === 'post'",
  ],
  [
    'pads and caliper',
    'pads fit every caliper',
    'sameNameKey(shape) === sameNameKey(slot)',
    "sameNameKey(shape) !== ''",
  ],
  [
    'lever and caliper',
    'a lever may fit a caliper with another fluid',
    'fluid && filled && fluid !== filled',
    'false',
  ],
  [
    'lever and caliper',
    'a lever fits calipers of other families',
    'sameNameKey(family) === sameNameKey(partner)',
    "sameNameKey(family) !== ''",
  ],
])

const tyres = breakRules('rules/tyres', [
  [
    'tyre and rim',
    'a tyre may fit a rim of another diameter',
    'diameter !== undefined && seat !== undefined && diameter !== seat',
    'false',
  ],
  [
    'tyre and rim',
    'a tyre may be wider than its rim allows',
    'if (isAllowed === false)',
    'if (isAllowed === null)',
  ],
  [
    'tyre and rim',
    'a rim may be narrower than its tyre asks for',
    'isWithin(inside, rims) === false',
    'isWithin(inside, rims) === null',
  ],
  [
    'tyre and rim',
    'a hookless rim takes tyres that are not approved',
    'isHookless && approved === false',
    'isHookless && approved === null',
  ],
  [
    'tyre and rim',
    'a hookless rim takes tyres of which nothing is stated',
    'isHookless && approved === undefined',
    'isHookless && approved === null',
  ],
  [
    'tyre and rim',
    'a tyre fits at more than 5 bar without hooks',
    'const hooklessLimit = 5',
    'const hooklessLimit = 6',
  ],
  [
    'tyre and frame or fork',
    'a tyre may be wider than its room',
    'return width <= most ||',
    'return width <= most + 20 ||',
  ],
  [
    'tyre and frame or fork',
    'the clearance counts at every diameter',
    'if (diameter !== seat)\n',
    'if (diameter === 0)\n',
  ],
  [
    'tube and tyre',
    'a tube may fit tyres out of its range',
    'if (isTaken === false)',
    'if (isTaken === null)',
  ],
  [
    'tube and tyre',
    'a tube may fit another diameter',
    'seat !== undefined && diameter !== undefined && seat !== diameter',
    'false',
  ],
  [
    'valve and rim',
    'a valve may be shorter than 15 mm beyond the rim',
    'const valveBeyondRim = 15',
    'const valveBeyondRim = 14',
  ],
  ['valve and rim', 'a valve fits another hole', 'kind && hole && kind !== hole', 'false'],
])

const wheels = breakRules('rules/wheels', [
  [
    'hub and frame or fork',
    'every hub has end-cap kits',
    "words(hub, 'kits')?.includes(wanted)",
    "words(hub, 'kits') !== null",
  ],
  [
    'hub and frame or fork',
    'road and mountain rotor positions fit one another',
    'rotor && position && rotor !== position',
    'false',
  ],
  ['hub and frame or fork', 'a quick-release hub fits a thru-axle', 'axle && slot && axle !== slot', 'false'],
  ['thru-axle and frame or fork', 'the thread’s pitch does not count', "pitch: 'thread pitch', ", ''],
  [
    'thru-axle and frame or fork',
    'a missing head seat fits',
    'axle[id] === undefined || frame[id] === undefined',
    'axle[id] === undefined && frame[id] === undefined',
  ],
  ['rim and hub', 'a rim fits every hub', 'return holes === drilled', 'return holes !== 0'],
  [
    'a spoke for one side',
    'a spoke that fits one side fits both',
    'if (isLeft && isRight) return',
    'if (isLeft || isRight) return',
  ],
  [
    'a straight-pull spoke',
    'a straight-pull spoke is calculated',
    "readWord(spoke, 'head') === 'straight' || ",
    '',
  ],
  [
    'a spoke with more crosses than fit',
    'a spoke is calculated for any crosses',
    '!Number.isInteger(crosses) || crosses! > maxCrosses(each.holes)',
    '!Number.isInteger(crosses)',
  ],
])

const spokes = breakRules('spokes/spoke-length', [
  [
    'a spoke that is 1.2 mm longer',
    'a spoke fits within 2 mm',
    'const spokeTolerance = 1',
    'const spokeTolerance = 2',
  ],
  ['a spoke that is 1.2 mm longer', 'the spoke hole does not count', ' - hole / 2', ''],
])

const cockpit = breakRules('rules/cockpit', [
  ['bar and stem', 'a larger bar may fit', 'if (diameter > clamp)', 'if (diameter > clamp + 10)'],
  [
    'bar and stem',
    'a stem whose maker states no shims takes them',
    'return hasAmount(shims, diameter)',
    'return shims.length >= 0',
  ],
  [
    'stem and steerer',
    'a carbon steerer takes shims',
    "|| material === 'alloy' || material === 'steel'",
    '|| material',
  ],
  [
    'grip or lever and bar',
    'a grip fits every bar',
    'return isTaken ? fits(text) : doesNotFit(text)',
    'return fits(text)',
  ],
  [
    'post and frame',
    'a larger post fits',
    'diameter > tube && !isSame(diameter, tube)',
    'diameter > tube + 10',
  ],
  [
    'post and frame',
    'a post may go in deeper than there is room',
    'insertion > depth)',
    'insertion > 10 * depth)',
  ],
  [
    'saddle and post',
    'oval rails fit a round clamp',
    'return clamps.includes(rails)',
    'return clamps.length > 0',
  ],
])

/** What holds for every rule. */
const judge: Mutant[] = [
  {
    name: 'a fact without a source decides',
    file: 'shop/fit/judge.ts',
    from: 'unsourced.length > 0\n',
    to: 'unsourced.length > 2\n',
    test: [
      'shop/fit/judge.test.ts',
      'a fact without a source makes a pair not known, even if it would not fit',
    ],
  },
  {
    name: 'what fits hides what does not',
    file: 'shop/fit/judge.ts',
    from: "['doesNotFit', 'notKnown', 'fitsWith', 'fits']",
    to: "['fits', 'fitsWith', 'notKnown', 'doesNotFit']",
    test: ['shop/fit/rules.test.ts', 'a wheel of which one thing'],
  },
  {
    name: 'an answer depends on the order of parts',
    file: 'shop/fit/judge.ts',
    from: '  const sorted = sortParts(parts)\n  return combine(meetAll(sorted), sorted)',
    to: '  return combine(meetAll(parts), parts)',
    test: ['shop/fit/judge.test.ts', 'judgeBuild does not depend on the order of its parts'],
  },
  {
    name: 'a replacement of which a fact is missing fits where the old part did',
    file: 'shop/fit/compare-fit.ts',
    from: 'if (was === undefined || is === undefined) compared.missing.push(name)',
    to: 'if (was === undefined || is === undefined) continue',
    test: ['shop/fit/compare-fit.test.ts', 'a replacement with'],
  },
]

/** Whether parts go together: a wrong “fits” is a part that is sent back, or an accident. */
export const fitMutants: Mutant[] = [
  ...drivetrain,
  ...equal,
  ...bearings,
  ...brakes,
  ...tyres,
  ...wheels,
  ...spokes,
  ...cockpit,
  ...judge,
]
