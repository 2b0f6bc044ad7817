/** From and to are included; null is an end that isn't stated. */
export interface FactRange {
  from: number | null
  to: number | null
}

export type FactValue = string | number | boolean | string[] | number[] | FactRange

/** By the id of the fact. What isn't stated is not there. */
export type InterfaceFacts = Record<string, FactValue>

export interface Interface {
  kind: string
  facts: InterfaceFacts
}

export const interfaceRoles = ['has', 'needs'] as const
export type InterfaceRole = (typeof interfaceRoles)[number]

export interface PartInterface extends Interface {
  /** What a part needs is not complete without a counterpart. */
  role: InterfaceRole
  /** Where its maker says so; without it, nothing is decided from it. */
  source: string
  /** Of the source, such as 2026-11-02. */
  date: string
}

/** A part of ours, or what somebody has. */
export interface FitPart {
  name: string
  interfaces: PartInterface[]
}

export const fitAnswers = ['fits', 'fitsWith', 'doesNotFit', 'notKnown'] as const
export type FitAnswer = (typeof fitAnswers)[number]

/** What an answer was decided from. */
export interface StatedFact {
  /** The part or what it was asked about. */
  of: string
  kind: string
  fact: string
  /** As people write it, with its unit. */
  value: string
  source: string
  date: string
}

export interface Verdict {
  answer: FitAnswer
  /** A spacer, shim, adapter or end-cap kit. */
  with?: string
  /** One sentence without a full stop. */
  because: string
  /** They don’t fit one another, but both fit a bike: a rear hub and a fork. */
  elsewhere?: boolean
}

export interface Fit {
  answer: FitAnswer
  with?: string
  because: string
  facts: StatedFact[]
}

export type FactType =
  | { type: 'number'; unit: string }
  | { type: 'span'; unit: string }
  | { type: 'numbers'; unit: string }
  | { type: 'choice'; choices: string[] }
  | { type: 'choices'; choices: string[] }
  /** As the maker names it. */
  | { type: 'word' }
  | { type: 'words' }
  | { type: 'code'; pattern: RegExp; example: string }
  | { type: 'codes'; pattern: RegExp; example: string }
  | { type: 'yesNo' }

export type FactRow = FactType & { id: string; label: string }

export interface KindRow {
  id: string
  label: string
  /** One sentence. */
  about: string
  role: InterfaceRole
  /** Parts of this kind wear out or are used up, such as chains, pads and tyres. */
  wears?: true
  /** The first may stand without its name in text. */
  facts: FactRow[]
}

/** Ids of interfaces: those that fit what somebody has, and those that meet it and don’t, or of which nothing is known. */
export interface FitSets {
  good: number[]
  others: number[]
}
