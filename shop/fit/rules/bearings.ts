import { isSame } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  amounts,
  doesNotFit,
  type FitContext,
  type FitRule,
  fits,
  hasAmount,
  isMissing,
  isUnclear,
  readNumber,
  readWord,
} from '#shop/fit/rule.ts'

export const bearingRules: FitRule[] = [
  {
    kinds: ['bottom-bracket', 'shell'],
    rule: 'Fits if the shell is of the same kind and as wide as the bottom bracket’s maker allows. T47 with bearings inside and outside don’t fit one another.',
    check: 'the crank’s spindle',
    judge: judgeShell,
  },
  {
    kinds: ['spindle', 'spindle-bore'],
    rule: 'Fits if spindles are equal and the crank’s shell widths contain the shell.',
    check: 'the chainline',
    judge: judgeSpindle,
  },
  {
    kinds: ['headset', 'head-tube'],
    rule: 'Fits if type and bore of both ends are equal, and for integrated ends both bearing angles. A missing number makes it not known. Never fits with something.',
    check: 'the steerer and the crown race',
    judge: judgeHeadTube,
  },
  {
    kinds: ['headset', 'steerer'],
    rule: 'Fits if the diameters of steerer and crown race are equal. A missing number makes it not known. Never fits with something.',
    check: 'the length of the steerer',
    judge: judgeSteerer,
  },
]

function judgeShell(bracket: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [kind, shell] = [readWord(bracket, 'shell'), readWord(frame, 'shell')]
  if (!kind || !shell)
    return isMissing(kind ? 'the kind of the frame’s shell' : 'the shell that the bottom bracket needs')
  if (kind !== shell) return doesNotFit(`Shell kind differs: ${kind} bottom bracket, ${shell} shell`)
  const [a, b] = [readWord(bracket, 'bearings'), readWord(frame, 'bearings')]
  if (kind === 'T47' && a && b && a !== b)
    return doesNotFit(`T47 with bearings ${a} in a shell for bearings ${b}`)
  const [widths, width] = [amounts(bracket, 'widths'), readNumber(frame, 'width')]
  if (widths && width !== undefined && !hasAmount(widths, width))
    return doesNotFit(`The shell is ${width} mm wide, the bottom bracket is for ${widths.join(' and ')} mm`)
  if (!widths || width === undefined)
    return isMissing(widths ? 'the width of the shell' : 'the bottom bracket’s shell widths')
  if (kind === 'T47' && !(a && b)) return isMissing('whether the bearings are inside or outside')
  return fits(`Both are ${kind}, ${width} mm wide`)
}

function judgeSpindle(crank: InterfaceFacts, bracket: InterfaceFacts, context: FitContext): Verdict {
  const [spindle, bore] = [readWord(crank, 'spindle'), readWord(bracket, 'spindle')]
  if (!spindle || !bore)
    return isMissing(spindle ? 'the spindle that the bottom bracket takes' : 'the crank’s spindle')
  if (spindle !== bore)
    return doesNotFit(
      `Spindle differs: ${describeSpindle(spindle)} in a bottom bracket for ${describeSpindle(bore)}`,
    )
  const widths = amounts(crank, 'widths')
  if (!widths) return isMissing('the shell widths that the crank fits')
  const shells = context.filter(({ kind }) => kind === 'shell').map(({ facts }) => readNumber(facts, 'width'))
  const shell = shells.find((width) => width !== undefined)
  const wanted = shell === undefined ? amounts(bracket, 'widths') : [shell]
  if (!wanted) return isMissing('the width of the shell')
  const contained = wanted.filter((width) => hasAmount(widths, width))
  const text = `${widths.join(' and ')} mm`
  if (contained.length === 0)
    return doesNotFit(`The crank is for shells of ${text}, not of ${wanted.join(' and ')} mm`)
  if (contained.length < wanted.length) return isMissing(`the width of the shell: the crank is for ${text}`)
  return fits(`Both are for ${describeSpindle(spindle)} and shells of ${wanted.join(' and ')} mm`)
}

function describeSpindle(spindle: string) {
  return `${spindle.startsWith('square') ? spindle : `${spindle} mm`} spindles`
}

const ends = ['upper', 'lower'] as const

function judgeHeadTube(headset: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const verdicts = ends.map((end) =>
    judgeEnd(
      end,
      readWord(headset, end),
      readWord(frame, end),
      readWord(headset, `${end}Angles`),
      readWord(frame, `${end}Angles`),
    ),
  )
  return (
    worst(verdicts) ?? fits(`${ends.map((end) => printBore(readWord(frame, end)!)).join(' and ')} on both`)
  )
}

function judgeEnd(
  end: string,
  headset?: string,
  frame?: string,
  angles?: string,
  seat?: string,
): Verdict | undefined {
  if (!headset || !frame) return isMissing(`the ${end} end of the ${headset ? 'head tube' : 'headset'}`)
  const [a, b] = [readShis(headset), readShis(frame)]
  if (!isSame(a.bore, b.bore))
    return doesNotFit(`${printBore(headset)} needed, the frame has ${printBore(frame)}`)
  if (a.type !== b.type) {
    if (a.type === 'IS' || b.type === 'IS')
      return doesNotFit(`${printBore(headset)} needed, the frame has ${printBore(frame)}`)
    return isUnclear(
      `${printBore(headset)} in a head tube stated as ${printBore(frame)}: the same bore, another type`,
    )
  }
  if (a.type !== 'IS') return undefined
  if (!angles || !seat) return isMissing(`the angles of the ${end} bearing`)
  return angles === seat
    ? undefined
    : doesNotFit(`Angles of the ${end} bearing differ: ${angles} and ${seat}`)
}

function judgeSteerer(headset: InterfaceFacts, fork: InterfaceFacts): Verdict {
  const diameters = { upper: readNumber(fork, 'diameter'), lower: readNumber(fork, 'race') }
  const verdicts = ends.map((end) => {
    const name = end === 'upper' ? 'steerer' : 'crown race'
    const code = readWord(headset, end)
    const wanted = code === undefined ? undefined : readShis(code).inner
    const diameter = diameters[end]
    if (wanted === undefined || diameter === undefined)
      return isMissing(`the ${name} of the ${wanted === undefined ? 'headset' : 'fork'}`)
    if (isSame(wanted, diameter)) return undefined
    return doesNotFit(`The headset’s ${name} is ${wanted} mm, the fork’s ${diameter} mm`)
  })
  return (
    worst(verdicts) ?? fits(`Steerer ${diameters.upper} mm and crown race ${diameters.lower} mm are equal`)
  )
}

function worst(verdicts: (Verdict | undefined)[]) {
  const found = verdicts.filter((verdict) => verdict !== undefined)
  const refused = found.filter(({ answer }) => answer === 'doesNotFit')
  const [first, second] = refused.length > 0 ? refused : found
  if (!first || !second || first.because === second.because) return first
  return {
    ...first,
    because: `${first.because}; ${second.because.charAt(0).toLowerCase() + second.because.slice(1)}`,
  }
}

/** `EC34/28.6`; the part behind the stroke may be missing. */
function readShis(code: string) {
  const [, type = '', bore = '', inner] = /^([A-Z]+)([\d.]+)(?:\/([\d.]+))?$/.exec(code) ?? []
  return { type, bore: Number(bore), inner: inner === undefined ? undefined : Number(inner) }
}

function printBore(code: string) {
  return code.split('/')[0]!
}
