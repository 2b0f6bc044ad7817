/** Digits; `1,000`, `1.000`, `1 000` and `12.0` are whole numbers, and other text is none. */
export function readQuantityText(typed: string): string | undefined {
  const text = typed.trim()
  if (/^\d{1,9}$/.test(text)) return text
  if (/^\d{1,3}([,.’'\s]\d{3}){1,2}$/.test(text)) return text.replace(/\D/g, '')
  const [, whole] = /^(\d{1,9})[.,]0+$/.exec(text) ?? []
  return whole
}

export function readQuantity(typed: string): number | undefined {
  const digits = readQuantityText(typed)
  return digits === undefined ? undefined : Number(digits)
}
