import { isSame } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  doesNotFit,
  type FitContext,
  type FitRule,
  fits,
  fitsWith,
  isMissing,
  isUnclear,
  readNumber,
  readWord,
  words,
} from '#shop/fit/rule.ts'
import { maxCrosses, spokeLength, spokeTolerance } from '#shop/fit/spokes/spoke-length.ts'

const spokeRule =
  'Fits if the holes of rim and hub are equal and the spoke is within 1 mm of the calculated length: L = √(R² + H² + F² − 2RH·cos(360°/h·X)) − d/2. J-bend spokes only.'

export const wheelRules: FitRule[] = [
  {
    kinds: ['axle-ends', 'dropouts'],
    rule: 'Fits if axle, diameter and width are equal; with the hub’s own end-cap kit where its maker has one. Road and mountain rotor positions don’t fit one another.',
    check: 'the rotor and the frame’s clearance',
    judge: judgeAxle,
  },
  {
    kinds: ['thru-axle', 'axle-thread'],
    rule: 'Fits if diameter, length, thread pitch and head seat are equal. A missing one makes it not known.',
    check: 'the torque',
    judge: judgeThruAxle,
  },
  {
    kinds: ['drilling', 'flanges'],
    rule: 'Fits if the numbers of spoke holes are equal.',
    check: 'the length of the spokes',
    judge: (rim, hub) => {
      const [holes, drilled] = [readNumber(rim, 'holes'), readNumber(hub, 'holes')]
      if (holes === undefined || drilled === undefined) return isMissing('the spoke holes of both')
      return holes === drilled
        ? fits(`Both have ${holes} spoke holes`)
        : doesNotFit(`The rim has ${holes} spoke holes, the hub ${drilled}`)
    },
  },
  {
    kinds: ['spoke', 'flanges'],
    rule: spokeRule,
    check: 'the nipples',
    judge: (spoke, hub, context) => judgeSpoke(spoke, findFacts(context, 'drilling'), hub, context),
  },
  {
    kinds: ['spoke', 'drilling'],
    rule: spokeRule,
    check: 'the nipples',
    judge: (spoke, rim, context) => judgeSpoke(spoke, rim, findFacts(context, 'flanges'), context),
  },
]

function judgeAxle(hub: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [size, wanted] = [readWord(hub, 'size'), readWord(frame, 'size')]
  const [end, place] = [readWord(hub, 'end'), readWord(frame, 'end')]
  if (end && place && end !== place) {
    const hubSize = size ? ` ${printSize(size)}` : ''
    return {
      ...doesNotFit(
        `${end === 'rear' ? 'Rear' : 'Front'} hub${hubSize}, ${place} dropouts${wanted ? ` ${printSize(wanted)}` : ''}`,
      ),
      elsewhere: true,
    }
  }
  const [axle, slot] = [readWord(hub, 'axle'), readWord(frame, 'axle')]
  if (axle && slot && axle !== slot) return doesNotFit(`${nameAxle(axle)} hub, ${nameAxle(slot)} dropouts`)
  const [rotor, position] = [readWord(hub, 'rotor'), readWord(frame, 'rotor')]
  if (rotor && position && rotor !== position)
    return doesNotFit(`Rotor positions differ: ${rotor} hub, ${position} frame or fork`)
  if (!size || !wanted) return isMissing(size ? 'the axle of frame or fork' : 'the axle of the hub')
  if (size === wanted) return fits(`Both are ${printSize(size)}`)
  return words(hub, 'kits')?.includes(wanted)
    ? fitsWith(
        `the hub’s own end-cap kit for ${printSize(wanted)}`,
        `${printSize(size)} hub, ${printSize(wanted)} dropouts`,
      )
    : doesNotFit(`${printSize(size)} hub, ${printSize(wanted)} dropouts`)
}

function nameAxle(axle: string) {
  return axle === 'QR' ? 'Quick-release' : 'Thru-axle'
}

function printSize(size: string) {
  return `${size.replace('x', ' × ')} mm`
}

const axleFacts = { diameter: 'diameter', length: 'length', pitch: 'thread pitch', head: 'head seat' }

function judgeThruAxle(axle: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const names = Object.entries(axleFacts)
  const differing = names.find(([id]) => {
    const [a, b] = [axle[id], frame[id]]
    if (typeof a === 'number' && typeof b === 'number') return !isSame(a, b)
    return a !== undefined && b !== undefined && a !== b
  })
  if (differing) {
    const [id, name] = differing
    return doesNotFit(`The ${name} differs: axle ${axle[id]}, frame or fork ${frame[id]}`)
  }
  const missing = names.filter(([id]) => axle[id] === undefined || frame[id] === undefined)
  return missing.length > 0
    ? isMissing(...missing.map(([, name]) => `the ${name} of both`))
    : fits('Diameter, length, thread pitch and head seat are equal')
}

function findFacts(context: FitContext, kind: string) {
  return context.find((one) => one.kind === kind)?.facts ?? {}
}

function judgeSpoke(
  spoke: InterfaceFacts,
  rim: InterfaceFacts,
  hub: InterfaceFacts,
  context: FitContext,
): Verdict {
  if (readWord(spoke, 'head') === 'straight' || readWord(hub, 'head') === 'straight')
    return isUnclear('Straight-pull spokes: their length follows from the hub’s maker alone')
  const [holes, drilled] = [readNumber(hub, 'holes'), readNumber(rim, 'holes')]
  if (holes !== undefined && drilled !== undefined && holes !== drilled)
    return doesNotFit(`The rim has ${drilled} spoke holes, the hub ${holes}`)
  const [length, erd, hole] = [readNumber(spoke, 'length'), readNumber(rim, 'erd'), readNumber(hub, 'hole')]
  const crosses = readNumber(findFacts(context, 'lacing'), 'crosses')
  const missing = [
    readWord(spoke, 'head') ? undefined : 'the head of the spoke',
    readWord(hub, 'head') ? undefined : 'the spoke head that the hub is for',
    length === undefined ? 'the length of the spoke' : undefined,
    erd === undefined ? 'the rim’s ERD' : undefined,
    drilled === undefined ? 'the rim’s holes' : undefined,
    holes === undefined ? 'the hub’s holes' : undefined,
    crosses === undefined ? 'the crosses' : undefined,
    hole === undefined ? 'the hub’s spoke hole' : undefined,
    ...(['left', 'right'] as const).flatMap((side) =>
      readNumber(hub, side) === undefined || readNumber(hub, `${side}Offset`) === undefined
        ? [`the hub’s ${side} flange`]
        : [],
    ),
  ].filter((name) => name !== undefined)
  if (missing.length > 0) return isMissing(...missing)
  const each = { erd: erd!, hole: hole!, holes: holes! / 2, crosses: crosses! }
  if (!Number.isInteger(crosses) || crosses! > maxCrosses(each.holes))
    return isUnclear(`${crosses} crosses aren’t possible with ${holes} holes`)
  const [left, right] = (['left', 'right'] as const).map((side) =>
    spokeLength({ ...each, circle: readNumber(hub, side)!, offset: readNumber(hub, `${side}Offset`)! }),
  )
  return compareLengths(length!, left!, right!)
}

function compareLengths(length: number, left: number, right: number): Verdict {
  const text = `${length} mm spoke; the wheel needs ${left.toFixed(1)} mm left and ${right.toFixed(1)} mm right, ± ${spokeTolerance} mm`
  const [isLeft, isRight] = [left, right].map((needed) => Math.abs(length - needed) <= spokeTolerance)
  if (isLeft && isRight) return fits(text)
  if (!isLeft && !isRight) return doesNotFit(text)
  return fitsWith(`${(isLeft ? right : left).toFixed(1)} mm spokes on the ${isLeft ? 'right' : 'left'}`, text)
}
