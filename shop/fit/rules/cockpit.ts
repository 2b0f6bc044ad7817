import { isSame } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  amounts,
  doesNotFit,
  type FitRule,
  fits,
  fitsWith,
  hasAmount,
  inMillimetres,
  isInside,
  isMissing,
  isUnclear,
  millimetres,
  readNumber,
  readWord,
  sentenceCase,
  span,
  words,
} from '#shop/fit/rule.ts'

export const cockpitRules: FitRule[] = [
  {
    kinds: ['bar-clamp', 'stem-clamp'],
    rule: 'Equal fits. A smaller bar fits with a shim where the stem’s maker allows it. A larger one doesn’t fit.',
    check: 'the bar’s torque limit',
    judge: (bar, stem) => judgeClamp('bar', bar, stem),
  },
  {
    kinds: ['steerer', 'stem-steerer'],
    rule: 'Equal fits. A smaller steerer fits with a shim where the stem’s maker allows it, on alloy and steel. A larger one doesn’t fit.',
    check: 'the length of the steerer and the torque that both makers allow',
    judge: judgeStemSteerer,
  },
  {
    kinds: ['grip-bore', 'grip-zone'],
    rule: 'Fits if the bar is within the diameters of the grip or lever. Doesn’t fit if they have none in common.',
    check: 'the length of the grip zone',
    judge: (grip, bar) => {
      const [bore, zone] = [span(grip, 'diameter'), span(bar, 'diameter')]
      if (!bore || !zone) return isMissing(bore ? 'the diameter of the bar' : 'the bar that the clamp is for')
      const isTaken = isInside(zone, bore)
      const text = `The bar has ${inMillimetres(zone)}, the clamp is for ${inMillimetres(bore)}`
      if (isTaken === undefined) return isUnclear(`${text}: only some of it in common`)
      return isTaken ? fits(text) : doesNotFit(text)
    },
  },
  {
    kinds: ['post', 'seat-tube'],
    rule: 'Equal fits. A smaller post fits with a shim. A larger one, and one that must go in deeper than there is room, doesn’t fit.',
    check: 'the minimum insertion',
    judge: judgePost,
  },
  {
    kinds: ['rails', 'rail-clamp'],
    rule: 'Fits if the clamp is made for the rails. Oval rails don’t fit a round clamp.',
    check: 'the setback',
    judge: (saddle, post) => {
      const [rails, clamps] = [readWord(saddle, 'rails'), words(post, 'rails')]
      if (!rails || !clamps) return isMissing(rails ? 'the rails that the post takes' : 'the saddle’s rails')
      const shape = `${rails.replace('x', ' × ')} mm`
      return clamps.includes(rails)
        ? fits(`Rails and clamp are ${shape}`)
        : doesNotFit(
            `The rails are ${shape}, the clamp is for ${clamps.join(' and ').replaceAll('x', ' × ')} mm`,
          )
    },
  },
]

function judgeClamp(name: string, held: InterfaceFacts, stem: InterfaceFacts): Verdict {
  const [diameter, clamp] = [readNumber(held, 'diameter'), readNumber(stem, 'diameter')]
  if (diameter === undefined || clamp === undefined)
    return isMissing(
      diameter === undefined ? `the diameter of the ${name}` : 'the diameter of the stem’s clamp',
    )
  if (isSame(diameter, clamp)) return fits(`${sentenceCase(name)} and clamp are ${millimetres(clamp)}`)
  if (diameter > clamp)
    return doesNotFit(
      `The ${name} is ${millimetres(diameter)}, larger than the clamp’s ${millimetres(clamp)}`,
    )
  const shims = amounts(stem, 'shims')
  const text = `The ${name} is ${millimetres(diameter)}, the clamp ${millimetres(clamp)}`
  if (!shims) return isUnclear(`${text}; the stem’s maker doesn’t state whether a shim is allowed`)
  return hasAmount(shims, diameter)
    ? fitsWith(`a shim from ${diameter} to ${clamp} mm`, `${text}; the stem’s maker allows a shim`)
    : doesNotFit(`${text}; the stem’s maker allows no shim for it`)
}

/** On a carbon steerer nobody but its maker may allow a shim. */
function judgeStemSteerer(steerer: InterfaceFacts, stem: InterfaceFacts): Verdict {
  const verdict = judgeClamp('steerer', steerer, stem)
  const material = readWord(steerer, 'material')
  if (verdict.answer !== 'fitsWith' || material === 'alloy' || material === 'steel') return verdict
  return isUnclear(
    `${verdict.because}; whether ${material ? 'a carbon' : 'this'} steerer takes one isn’t stated`,
  )
}

function judgePost(post: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [diameter, tube] = [readNumber(post, 'diameter'), readNumber(frame, 'diameter')]
  if (diameter === undefined || tube === undefined)
    return isMissing(tube === undefined ? 'the diameter of the seat tube' : 'the diameter of the post')
  if (diameter > tube && !isSame(diameter, tube))
    return doesNotFit(
      `The post is ${millimetres(diameter)}, larger than the seat tube’s ${millimetres(tube)}`,
    )
  const [insertion, depth] = [readNumber(post, 'insertion'), readNumber(frame, 'depth')]
  if (insertion !== undefined && depth !== undefined && insertion > depth)
    return doesNotFit(`The post must go in ${insertion} mm, the frame has room for ${depth} mm`)
  if (isSame(diameter, tube)) return fits(`Post and seat tube are ${millimetres(tube)}`)
  return fitsWith(
    `a shim from ${diameter} to ${tube} mm`,
    `The post is ${millimetres(diameter)}, the seat tube ${millimetres(tube)}`,
  )
}
