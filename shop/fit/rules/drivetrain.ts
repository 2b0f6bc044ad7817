import { isSame, sameNameKey } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  doesNotFit,
  type FitContext,
  type FitRule,
  fits,
  fitsWith,
  hasName,
  isMissing,
  isUnclear,
  isWithin,
  judgeEqual,
  readNumber,
  readWord,
  span,
  words,
} from '#shop/fit/rule.ts'

const longer: Record<string, string> = { HG: 'HG-road11', XD: 'XDR' }

export const drivetrainRules: FitRule[] = [
  {
    kinds: ['cassette-mount', 'freehub'],
    rule: 'Equal fits, and so do other bodies that the cassette’s maker names. HG on HG-road11 and XD on XDR fit with a 1.85 mm spacer. HG-road11 on HG, XDR on XD and all others don’t fit.',
    check: 'the derailleur’s range and the frame',
    judge: judgeFreehub,
  },
  {
    kinds: ['chain', 'cogs'],
    rule: 'Fits if the cassette’s maker allows the chain’s family and speeds are equal. Doesn’t fit if speeds differ, if its maker excludes the family, or if only one of both is Flattop. Not known otherwise.',
    check: 'the chain’s length',
    judge: judgeChain,
  },
  {
    kinds: ['chain', 'rings'],
    rule: 'Fits if the ring’s speeds contain those of the chain.',
    check: 'the chainline',
    judge: (chain, rings) => {
      const speeds = readNumber(chain, 'speeds')
      const range = span(rings, 'speeds')
      if (speeds === undefined) return isMissing('the speeds of the chain')
      const isContained = range && isWithin(speeds, range)
      if (isContained === undefined) return isMissing('the speeds of chains that run on the chainring')
      return isContained
        ? fits(`The chainring takes ${speeds}-speed chains`)
        : doesNotFit(`The chainring doesn’t take ${speeds}-speed chains`)
    },
  },
  {
    kinds: ['ring-fit', 'ring-seat'],
    rule: 'Fits if bolt circle and bolts, or the maker’s direct-mount pattern, are equal. Doesn’t fit otherwise.',
    check: 'the chainline and the chainstay',
    judge: judgeRing,
  },
  {
    kinds: ['derailleur', 'cogs'],
    rule: 'Fits if speeds are equal, the largest cog is within the derailleur’s range, and the differences of the cogs and of the rings are together at most its total capacity.',
    check: 'the hanger and the shifter',
    judge: judgeDerailleur,
  },
  {
    kinds: ['actuation', 'shifter'],
    rule: 'Fits if both makers name the same family and speeds. Not known otherwise: published cable pulls differ by a third.',
    check: 'the cable’s way',
    judge: judgeShifter,
  },
  {
    kinds: ['hanger-mount', 'hanger'],
    rule: 'Fits if equal. A full mount fits UDH only. Not known for a standard mount on UDH unless its maker names it.',
    check: 'the derailleur’s range',
    judge: judgeHanger,
  },
  {
    kinds: ['pedal-thread', 'crank-thread'],
    rule: 'Fits if threads are equal.',
    check: 'washers that the crank’s maker asks for',
    judge: (pedal, crank) =>
      judgeEqual(
        readWord(pedal, 'thread'),
        readWord(crank, 'thread'),
        ['the pedal’s thread', 'the crank’s thread'],
        'threads',
      ),
  },
  {
    kinds: ['cleat', 'sole'],
    rule: 'Fits if the bolts of cleat and sole are equal.',
    check: 'the tread of the sole',
    judge: (cleat, sole) =>
      judgeEqual(
        readWord(cleat, 'bolts'),
        readWord(sole, 'bolts'),
        ['the cleat’s pattern', 'the sole’s pattern'],
        'patterns',
      ),
  },
]

function judgeFreehub(cassette: InterfaceFacts, freehub: InterfaceFacts): Verdict {
  const mount = readWord(cassette, 'body')
  const body = readWord(freehub, 'body')
  if (!mount) return isMissing('the body that the cassette needs')
  if (!body) return isMissing('the freehub body')
  const extra = readNumber(cassette, 'spacer')
  const asked = extra === undefined ? '' : `${extra} mm`
  if (mount === body || words(cassette, 'also')?.includes(body)) {
    const reason = mount === body ? `Both are ${body}` : `The cassette’s maker names ${body} bodies`
    return asked
      ? fitsWith(`a ${asked} spacer`, `${reason}; the cassette’s maker asks for a spacer`)
      : fits(reason)
  }
  if (longer[mount] === body) {
    const spacers = asked ? `1.85 mm and ${asked} spacers` : 'a 1.85 mm spacer'
    return fitsWith(spacers, `${mount} mount on the longer ${body} body`)
  }
  return doesNotFit(`${mount} mount on ${body}`)
}

function judgeChain(chain: InterfaceFacts, cogs: InterfaceFacts): Verdict {
  const speeds = readNumber(chain, 'speeds')
  const wanted = readNumber(cogs, 'speeds')
  if (speeds !== undefined && wanted !== undefined && speeds !== wanted)
    return doesNotFit(`Speeds differ: ${speeds}-speed chain, ${wanted}-speed cassette`)
  const family = readWord(chain, 'family')
  const allowed = words(cogs, 'chains')
  if (!family) return isMissing('the family of the chain')
  if (hasName(words(cogs, 'not') ?? [], family))
    return doesNotFit(`The cassette’s maker excludes ${family} chains`)
  if (!allowed) return isMissing('the chains that the cassette’s maker allows')
  if (hasName(allowed, family)) {
    if (speeds === undefined || wanted === undefined) return isMissing('the speeds of both')
    return fits(`The cassette’s maker allows ${family} chains, and both are ${speeds}-speed`)
  }
  const isFlattop = sameNameKey(family) === 'flattop'
  const onlyFlattop = allowed.length > 0 && allowed.every((name) => sameNameKey(name) === 'flattop')
  if (isFlattop || onlyFlattop) return doesNotFit('Flattop chains and cassettes fit one another only')
  return isUnclear(`The cassette’s maker says nothing about ${family} chains`)
}

function judgeRing(ring: InterfaceFacts, crank: InterfaceFacts): Verdict {
  const [a, b] = [readWord(ring, 'style'), readWord(crank, 'style')]
  if (!a || !b) return isMissing(a ? 'how the crank holds chainrings' : 'how the chainring is fixed')
  if (a !== b)
    return doesNotFit(
      a === 'direct' ? 'Direct-mount ring, bolt-circle crank' : `${describeCircle(ring)}; direct-mount crank`,
    )
  if (a === 'direct') return judgePattern(readWord(ring, 'pattern'), readWord(crank, 'pattern'))
  const [circle, seat] = [readNumber(ring, 'circle'), readNumber(crank, 'circle')]
  const [bolts, holes] = [readNumber(ring, 'bolts'), readNumber(crank, 'bolts')]
  if (circle !== undefined && seat !== undefined && !isSame(circle, seat))
    return doesNotFit(`${circle} mm bolt circle on ${seat} mm`)
  if (bolts !== undefined && holes !== undefined && bolts !== holes)
    return doesNotFit(`${bolts} bolts on ${holes}`)
  if (circle === undefined || seat === undefined) return isMissing('the bolt circle of both')
  if (bolts === undefined || holes === undefined) return isMissing('the number of bolts of both')
  return fits(`Both have ${bolts} bolts on a ${circle} mm circle`)
}

function judgePattern(ring: string | undefined, crank: string | undefined): Verdict {
  if (!ring || !crank) return isMissing(`the direct-mount pattern of the ${ring ? 'crank' : 'chainring'}`)
  return sameNameKey(ring) === sameNameKey(crank)
    ? fits(`Both have the direct-mount pattern ${crank}`)
    : doesNotFit(`Direct-mount patterns differ: ${ring} and ${crank}`)
}

function describeCircle(ring: InterfaceFacts) {
  const circle = readNumber(ring, 'circle')
  return circle === undefined ? 'Bolt-circle ring' : `${circle} mm bolt circle`
}

function judgeDerailleur(derailleur: InterfaceFacts, cogs: InterfaceFacts, context: FitContext): Verdict {
  const [speeds, wanted] = [readNumber(derailleur, 'speeds'), readNumber(cogs, 'speeds')]
  if (speeds !== undefined && wanted !== undefined && speeds !== wanted)
    return doesNotFit(`Speeds differ: ${speeds}-speed derailleur, ${wanted}-speed cassette`)
  const range = span(derailleur, 'cog')
  const [largest, smallest] = [readNumber(cogs, 'largest'), readNumber(cogs, 'smallest')]
  const isReached = range && largest !== undefined ? isWithin(largest, range) : undefined
  if (isReached === false)
    return doesNotFit(`The largest cog has ${largest} teeth; the derailleur takes ${describeCogs(range!)}`)
  const capacity = readNumber(derailleur, 'capacity')
  const cogsTake = largest === undefined || smallest === undefined ? undefined : largest - smallest
  const ringsTake = differenceOfRings(context)
  const takes = cogsTake === undefined ? undefined : cogsTake + (ringsTake ?? 0)
  if (capacity !== undefined && takes !== undefined && takes > capacity)
    return doesNotFit(`Cogs and rings need a capacity of ${takes} teeth; the derailleur has ${capacity}`)
  if (largest === undefined || smallest === undefined)
    return isMissing('the cassette’s smallest and largest cog')
  if (isReached === undefined)
    return isMissing(
      range
        ? 'the smallest largest cog that the derailleur takes'
        : 'the largest cog that the derailleur takes',
    )
  if (capacity === undefined) return isMissing('the derailleur’s total capacity')
  if (speeds === undefined || wanted === undefined) return isMissing('the speeds of both')
  const rest = capacity - cogsTake!
  const rings =
    ringsTake === undefined
      ? `; the chainrings may differ by ${rest === 1 ? '1 tooth' : `${rest} teeth`}`
      : ''
  return fits(`Capacity ${takes} of ${capacity}, largest cog ${largest}${rings}`)
}

function describeCogs({ from, to }: { from: number | null; to: number | null }) {
  if (from === null) return `up to ${to}`
  return to === null ? `${from} or more` : `${from} to ${to}`
}

/** Undefined without rings, or if their teeth aren't stated. */
function differenceOfRings(context: FitContext) {
  const differences = context.flatMap(({ kind, facts }) => {
    const [largest, smallest] = [readNumber(facts, 'largest'), readNumber(facts, 'smallest')]
    return kind === 'rings' && largest !== undefined ? [largest - (smallest ?? largest)] : []
  })
  return differences.length > 0 ? Math.max(...differences) : undefined
}

function judgeShifter(derailleur: InterfaceFacts, shifter: InterfaceFacts): Verdict {
  const [a, b] = [readNumber(derailleur, 'speeds'), readNumber(shifter, 'speeds')]
  const [family, pulled] = [readWord(derailleur, 'family'), readWord(shifter, 'family')]
  if (!family) return isMissing('the derailleur’s actuation family, which its maker must name')
  if (!pulled) return isMissing('the shifter’s actuation family, which its maker must name')
  if (a === undefined || b === undefined) return isMissing('the speeds of both')
  if (sameNameKey(family) === sameNameKey(pulled) && a === b) return fits(`Both are ${family}, ${a}-speed`)
  return isUnclear(`${family} ${a}-speed and ${pulled} ${b}-speed: no maker says that they go together`)
}

function judgeHanger(derailleur: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [mount, hanger] = [readWord(derailleur, 'mount'), readWord(frame, 'mount')]
  if (!mount || !hanger) return isMissing(mount ? 'the frame’s hanger' : 'the derailleur’s mount')
  if (mount === 'full')
    return hanger === 'UDH'
      ? fits('Full mount on UDH')
      : doesNotFit(`Full mount goes on UDH only, not on ${hanger}`)
  if (mount === hanger) return fits(`Both are ${mount}`)
  if (mount === 'standard' && hanger === 'UDH')
    return isUnclear('A standard mount on UDH: the derailleur’s maker must name it')
  return doesNotFit(`${mount} mount on a ${hanger} hanger`)
}
