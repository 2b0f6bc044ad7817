const part = '[^\\s"@:/<>(),;\\\\]'
const email = new RegExp(`${part}{1,64}(?:@|%40)${part}{1,255}\\.${part}{2,63}`, 'gi')
const query = /\?[^\s"?=\\]*=[^\s"\\]*/g
const secrets = [
  /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /\b[sr]k_(?:live|test)_\w{8,}/g,
  /\bwhsec_[\w+/=]+/g,
  /_secret_\w+/g,
  /\bBearer [^\s"\\]+/gi,
]

/** Removes email addresses, queries of web addresses, tokens and keys: a message of another program may contain them. */
export function redact(line: string): string {
  let text = line
  if (/@|%40/.test(text)) text = text.replace(email, '[email]')
  if (text.includes('?')) text = text.replace(query, '?[query]')
  for (const secret of secrets) text = text.replace(secret, '[secret]')
  return text
}
