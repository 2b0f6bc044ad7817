import { isSame, sameNameKey } from '#shop/fit/fact-values.ts'
import type { InterfaceFacts, Verdict } from '#shop/fit/interface.ts'
import {
  doesNotFit,
  type FitRule,
  fits,
  fitsWith,
  inMillimetres,
  isMissing,
  isUnclear,
  isWithin,
  readNumber,
  readWord,
  span,
} from '#shop/fit/rule.ts'

export const brakeRules: FitRule[] = [
  {
    kinds: ['rotor', 'rotor-mount'],
    rule: 'Equal fits. A six-bolt rotor fits a Center Lock hub with an adapter. A Center Lock rotor doesn’t fit a six-bolt hub.',
    check: 'the rotor’s diameter',
    judge: judgeRotorMount,
  },
  {
    kinds: ['rotor', 'brake-mount'],
    rule: 'The native rotor fits. Larger ones up to the largest fit with an adapter. Smaller and larger ones don’t fit.',
    check: 'the caliper',
    judge: judgeRotorSize,
  },
  {
    kinds: ['rotor', 'caliper'],
    rule: 'Fits if the rotor’s diameter is one that the caliper’s maker names.',
    check: 'the mount of frame or fork, which may need an adapter',
    judge: (rotor, caliper) => {
      const [diameter, range] = [readNumber(rotor, 'diameter'), span(caliper, 'rotors')]
      if (diameter === undefined) return isMissing('the rotor’s diameter')
      const isTaken = range && isWithin(diameter, range)
      if (isTaken === undefined) return isMissing('the rotors that the caliper takes')
      const text = `${diameter} mm rotor; the caliper takes ${inMillimetres(range!)}`
      return isTaken ? fits(text) : doesNotFit(text)
    },
  },
  {
    kinds: ['caliper', 'brake-mount'],
    rule: 'Equal fits. A post-mount caliper fits an IS mount with an adapter. Others don’t fit.',
    check: 'the rotor’s diameter',
    judge: judgeCaliper,
  },
  {
    kinds: ['pads', 'pad-slot'],
    rule: 'Fits if the makers name the same shape. Not known otherwise.',
    check: 'the compound',
    judge: (pads, caliper) => {
      const [shape, slot] = [readWord(pads, 'shape'), readWord(caliper, 'shape')]
      if (!shape || !slot) return isMissing('the shape of the pads')
      return sameNameKey(shape) === sameNameKey(slot)
        ? fits(`Both are of the shape ${slot}`)
        : isUnclear(`${shape} pads: no maker says that they fit ${slot} calipers`)
    },
  },
  {
    kinds: ['lever-hydraulics', 'caliper-hydraulics'],
    rule: 'Different fluids don’t fit. Fits if the makers name the same family. Not known otherwise.',
    check: 'the hose and its fittings',
    judge: judgeHydraulics,
  },
]

function judgeRotorMount(rotor: InterfaceFacts, hub: InterfaceFacts): Verdict {
  const [mount, seat] = [readWord(rotor, 'mount'), readWord(hub, 'mount')]
  if (!mount || !seat) return isMissing(mount ? 'the hub’s rotor mount' : 'the rotor’s mount')
  if (mount === seat) return fits(`Both are ${seat}`)
  return mount === 'six-bolt'
    ? fitsWith('a Center Lock adapter for six-bolt rotors', 'Six-bolt rotor on a Center Lock hub')
    : doesNotFit('Center Lock rotor on a six-bolt hub')
}

function judgeRotorSize(rotor: InterfaceFacts, mount: InterfaceFacts): Verdict {
  const diameter = readNumber(rotor, 'diameter')
  const [native, largest] = [readNumber(mount, 'native'), readNumber(mount, 'largest')]
  if (diameter === undefined) return isMissing('the rotor’s diameter')
  if (largest !== undefined && diameter > largest && !isSame(diameter, largest))
    return doesNotFit(`${diameter} mm rotor; the mount takes at most ${largest} mm`)
  if (native === undefined) return isMissing('the rotor that the mount takes without an adapter')
  if (isSame(diameter, native)) return fits(`${diameter} mm is the mount’s own rotor size`)
  if (diameter < native) return doesNotFit(`${diameter} mm is smaller than the mount’s native ${native} mm`)
  if (largest === undefined) return isMissing('the largest rotor that the mount takes')
  return fitsWith(
    `a +${Math.round((diameter - native) * 10) / 10} mm caliper adapter`,
    `${diameter} mm rotor on a mount for ${native} mm, at most ${largest} mm`,
  )
}

function judgeCaliper(caliper: InterfaceFacts, frame: InterfaceFacts): Verdict {
  const [mount, seat] = [readWord(caliper, 'mount'), readWord(frame, 'mount')]
  if (!mount || !seat) return isMissing(mount ? 'the mount of frame or fork' : 'the caliper’s mount')
  const names = { post: 'post mount', IS: 'IS mount', flat: 'flat mount' } as Record<string, string>
  if (mount === seat) return fits(`Both are ${names[mount]}`)
  return mount === 'post' && seat === 'IS'
    ? fitsWith('an IS to post-mount adapter for the rotor', 'Post-mount caliper on an IS mount')
    : doesNotFit(`The caliper is ${names[mount]}, the frame or fork is ${names[seat]}`)
}

function judgeHydraulics(lever: InterfaceFacts, caliper: InterfaceFacts): Verdict {
  const [fluid, filled] = [readWord(lever, 'fluid'), readWord(caliper, 'fluid')]
  if (fluid && filled && fluid !== filled)
    return doesNotFit(`Fluids differ: ${fluid} lever, ${filled} caliper`)
  const [family, partner] = [readWord(lever, 'family'), readWord(caliper, 'family')]
  if (!fluid || !filled) return isMissing('the fluid of both')
  if (!family || !partner) return isMissing('the family of lever and caliper, which their makers must name')
  return sameNameKey(family) === sameNameKey(partner)
    ? fits(`Both are ${partner}, with ${fluid}`)
    : isUnclear(`No maker says that ${family} levers and ${partner} calipers go together`)
}
