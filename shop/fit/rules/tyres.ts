import { isSame } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  doesNotFit,
  type FitRule,
  fits,
  inMillimetres,
  isMissing,
  isWithin,
  isYes,
  readNumber,
  readWord,
  span,
} from '#shop/fit/rule.ts'

/** In bar, for every hookless rim. */
const hooklessLimit = 5

/** In mm; of our own making. */
const valveBeyondRim = 15

export const tyreRules: FitRule[] = [
  {
    kinds: ['tyre', 'rim'],
    rule: 'Fits if bead seat diameters are equal, the tyre’s width is one that the rim’s maker allows and the rim’s width one that the tyre’s maker allows. A hookless rim needs the tyre’s approval and pressures; at most the smallest of tyre, rim and 5 bar. Never fits with something.',
    check: 'the clearance of frame and fork',
    judge: judgeRim,
  },
  {
    kinds: ['tyre', 'clearance'],
    rule: 'Fits if the tyre is at most as wide as the clearance at its bead seat diameter.',
    check: 'the width as measured on the rim',
    judge: judgeClearance,
  },
  {
    kinds: ['tube', 'tyre'],
    rule: 'Fits if bead seat diameters are equal and the tyre’s width is within the tube’s range.',
    check: 'the valve',
    judge: (tube, tyre) => {
      const [seat, diameter] = [readNumber(tube, 'diameter'), readNumber(tyre, 'diameter')]
      const [widths, width] = [span(tube, 'widths'), readNumber(tyre, 'width')]
      if (seat !== undefined && diameter !== undefined && seat !== diameter)
        return doesNotFit(`The tube is for ${seat} mm, the tyre is ${diameter} mm`)
      const isTaken = widths && width !== undefined ? isWithin(width, widths) : undefined
      if (isTaken === false)
        return doesNotFit(`The tyre is ${width} mm wide, the tube is for ${inMillimetres(widths!)}`)
      if (seat === undefined || diameter === undefined) return isMissing('the bead seat diameter of both')
      if (!isTaken)
        return isMissing(widths ? 'the width of the tyre' : 'the tyre widths that the tube is for')
      return fits(`${width}-${diameter} is within the tube’s ${inMillimetres(widths!)}`)
    },
  },
  {
    kinds: ['valve', 'valve-hole'],
    rule: 'Fits if the valve is of the same kind and at least 15 mm longer than the rim is deep. The 15 mm are our own measure.',
    check: 'the pump’s head',
    judge: judgeValve,
  },
]

function judgeRim(tyre: InterfaceFacts, rim: InterfaceFacts): Verdict {
  const [diameter, seat] = [readNumber(tyre, 'diameter'), readNumber(rim, 'diameter')]
  if (diameter !== undefined && seat !== undefined && diameter !== seat)
    return doesNotFit(`Bead seat diameters differ: tyre ${diameter} mm, rim ${seat} mm`)
  const [inside, rims] = [readNumber(rim, 'inside'), span(tyre, 'rims')]
  if (inside !== undefined && rims && isWithin(inside, rims) === false)
    return doesNotFit(`The rim is ${inside} mm wide inside, the tyre asks for ${inMillimetres(rims)}`)
  const [width, allowed] = [readNumber(tyre, 'width'), span(rim, 'tyres')]
  const isAllowed = width !== undefined && allowed ? isWithin(width, allowed) : undefined
  if (isAllowed === false)
    return doesNotFit(`The tyre is ${width} mm wide, the rim is for ${inMillimetres(allowed!)}`)
  const hooked = isYes(rim, 'hooked')
  const pressure = judgePressure(tyre, rim, hooked)
  if (pressure.answer === 'doesNotFit') return pressure
  if (diameter === undefined || seat === undefined)
    return isMissing('the bead seat diameter of both', ...after(pressure))
  if (width === undefined) return isMissing('the width of the tyre')
  if (!isAllowed) return isMissing('the tyre widths that the rim’s maker allows', ...after(pressure))
  if (rims && (inside === undefined || !isWithin(inside, rims)))
    return isMissing('the width of the rim inside, or all of the rims that the tyre’s maker allows')
  if (hooked === undefined) return isMissing('whether the rim is hooked')
  if (pressure.answer === 'notKnown') return pressure
  return fits(`${width}-${diameter} is within the rim’s ${inMillimetres(allowed!)}${pressure.because}`)
}

/** What else is missing. */
function after({ answer, because }: Verdict) {
  return answer === 'notKnown' ? [because.replace('Not stated: ', '')] : []
}

function judgePressure(tyre: InterfaceFacts, rim: InterfaceFacts, hooked: boolean | undefined): Verdict {
  const approved = isYes(tyre, 'hookless')
  const [range, most] = [span(tyre, 'pressure'), readNumber(rim, 'pressure')]
  const isHookless = hooked === false
  if (isHookless && approved === false) return doesNotFit('The tyre isn’t approved for hookless rims')
  const limits = [range?.to, most, isHookless ? hooklessLimit : undefined].filter(
    (limit) => typeof limit === 'number',
  )
  const limit = limits.length > 0 ? Math.min(...limits) : undefined
  if (limit !== undefined && typeof range?.from === 'number' && range.from > limit)
    return doesNotFit(`The tyre needs at least ${range.from} bar; at most ${limit} bar are allowed`)
  if (isHookless && approved === undefined) return isMissing('the tyre’s approval for hookless rims')
  if (isHookless && typeof range?.to !== 'number') return isMissing('the maximum pressure of the tyre')
  if (isHookless && most === undefined) return isMissing('the maximum pressure of the rim')
  return fits(
    limit === undefined ? '' : `, at most ${limit} bar${isHookless ? '; approved for hookless' : ''}`,
  )
}

function judgeClearance(tyre: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [diameter, seat] = [readNumber(tyre, 'diameter'), readNumber(frame, 'diameter')]
  const [width, most] = [readNumber(tyre, 'width'), readNumber(frame, 'width')]
  if (diameter === undefined || seat === undefined) return isMissing('the bead seat diameter of both')
  if (diameter !== seat)
    return isMissing(`the clearance at ${diameter} mm: the maker states it at ${seat} mm`)
  if (width === undefined || most === undefined)
    return isMissing(width === undefined ? 'the width of the tyre' : 'the clearance')
  return width <= most || isSame(width, most)
    ? fits(`${width} mm wide, room for ${most} mm`)
    : doesNotFit(`The tyre is ${width} mm wide, there is room for ${most} mm`)
}

function judgeValve(valve: InterfaceFacts, rim: InterfaceFacts): Verdict {
  const [kind, hole] = [readWord(valve, 'valve'), readWord(rim, 'valve')]
  if (kind && hole && kind !== hole) return doesNotFit(`${kind} valve in a hole for ${hole}`)
  const [length, depth] = [readNumber(valve, 'length'), readNumber(rim, 'depth')]
  if (length !== undefined && depth !== undefined && length < depth + valveBeyondRim)
    return doesNotFit(
      `The valve is ${length} mm long, the rim needs at least ${depth + valveBeyondRim} mm: its depth and ${valveBeyondRim} mm, our own measure`,
    )
  if (!kind || !hole) return isMissing(kind ? 'the valve hole of the rim' : 'the kind of valve')
  if (length === undefined || depth === undefined)
    return isMissing(length === undefined ? 'the length of the valve' : 'the depth of the rim')
  return fits(
    `${length} mm valve on a ${depth} mm deep rim; it needs ${depth + valveBeyondRim} mm, by our own measure`,
  )
}
