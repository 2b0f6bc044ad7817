/** Part numbers are compared without case and punctuation, as in the column `part_number_key`. */
export function numberKey(text: string) {
  return text.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
}
