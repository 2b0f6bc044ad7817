/** Of an attribute, in addresses; added to those that are `taken`. */
export function makeAttributeKey(name: string, taken: Set<string>) {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const base = plain || 'attribute'
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}-${n}`
  taken.add(key)
  return key
}
