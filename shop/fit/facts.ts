import type { FactRow } from './interface.ts'

export function numberFact(id: string, label: string, unit = 'mm'): FactRow {
  return { id, label, type: 'number', unit }
}

export function spanFact(id: string, label: string, unit = 'mm'): FactRow {
  return { id, label, type: 'span', unit }
}

export function numbersFact(id: string, label: string, unit = 'mm'): FactRow {
  return { id, label, type: 'numbers', unit }
}

export function choiceFact(id: string, label: string, choices: string[]): FactRow {
  return { id, label, type: 'choice', choices }
}

export function choicesFact(id: string, label: string, choices: string[]): FactRow {
  return { id, label, type: 'choices', choices }
}

export function wordFact(id: string, label: string): FactRow {
  return { id, label, type: 'word' }
}

export function wordsFact(id: string, label: string): FactRow {
  return { id, label, type: 'words' }
}

export function yesNoFact(id: string, label: string): FactRow {
  return { id, label, type: 'yesNo' }
}

const axleSize = /^\d{1,3}(\.\d{1,2})?x\d{1,3}(\.\d{1,2})?$/

/** Diameter and width, such as 12x148. */
export function sizeFact(id: string, label: string): FactRow {
  return { id, label, type: 'code', pattern: axleSize, example: '12x148' }
}

export function sizesFact(id: string, label: string): FactRow {
  return { id, label, type: 'codes', pattern: axleSize, example: '12x148' }
}

/** One end by the Standardized Headset Identification System: EC34/28.6. */
export function shisFact(id: string, label: string, example: string): FactRow {
  return { id, label, type: 'code', pattern: /^(EC|ZS|IS)\d{2}(\.\d)?(\/\d{2}(\.\d)?)?$/, example }
}
