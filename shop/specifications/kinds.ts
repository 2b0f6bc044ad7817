export const attributeKinds = ['text', 'number', 'range', 'choice', 'yesNo'] as const
export type AttributeKind = (typeof attributeKinds)[number]

export const attributeKindLabels: Record<AttributeKind, string> = {
  text: 'Text',
  number: 'Number',
  range: 'Range of numbers',
  choice: 'Choice from a list',
  yesNo: 'Yes or no',
}

export function hasUnit(kind: AttributeKind | undefined) {
  return kind === 'number' || kind === 'range'
}
