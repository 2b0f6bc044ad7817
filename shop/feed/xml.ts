/** A text, or elements in it; null where there is none. */
export type XmlContent = string | XmlElement[] | null
export type XmlElement = [name: string, content: XmlContent]

export function formatXml(elements: XmlElement[]): string {
  return elements.map(formatElement).join('')
}

function formatElement([name, content]: XmlElement): string {
  if (content === null) return ''
  return `<${name}>${typeof content === 'string' ? escapeXml(content) : formatXml(content)}</${name}>\n`
}

/** Without the characters that XML 1.0 forbids in every form. */
function escapeXml(text: string) {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
