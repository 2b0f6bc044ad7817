import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

type Node = { type: string; start: number } & Record<string, unknown>

export interface Text {
  file: string
  line: number
  text: string
}

const markup = new Set(['className', 'class', 'd', 'viewBox', 'points', 'transform', 'style', 'fill'])
const skipped = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSLiteralType', 'ImportExpression'])

/** Every text in the code that somebody may read; `{…}` stands for a value. */
export function readTexts(): Text[] {
  return globSync('{api,app,bank,bin,db,providers,server,shop,telemetry}/**/*.{ts,tsx,mjs}')
    .filter((file) => !/\.(test|e2e)\.|demo-parts/.test(file))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const texts: Array<[number, string]> = []
      collect(parseSync(file, source).program as unknown as Node, texts)
      return texts.map(([start, text]) => ({ file, line: source.slice(0, start).split('\n').length, text }))
    })
}

function collect(node: Node, texts: Array<[number, string]>): void {
  if (skipped.has(node.type)) return
  if (node.type === 'JSXAttribute' && markup.has(String((node.name as Node).name))) return
  if (node.type === 'TaggedTemplateExpression' && (node.tag as Node).name === 'sql') return
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const children = node.children as Node[]
    const text = children.map(textOf).join('').replace(/\s+/g, ' ').trim()
    if (children.some(({ type, value }) => type === 'JSXText' && /\p{L}/u.test(String(value)))) {
      texts.push([node.start, text])
    }
  } else if (node.type !== 'JSXText') {
    const text = textOf(node).replace(/\s+/g, ' ').trim()
    if (isReadable(text)) texts.push([node.start, text])
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === 'object' && 'type' in child) collect(child, texts)
    }
  }
}

function textOf(node: Node): string {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : ''
  if (node.type === 'TemplateLiteral') {
    return (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked).join('{…}')
  }
  if (node.type === 'JSXExpressionContainer') return textOf(node.expression as Node) || '{…}'
  if (node.type === 'JSXElement') return (node.children as Node[]).map(textOf).join('') || '{…}'
  return ''
}

function isReadable(text: string): boolean {
  const words = text.split(' ')
  if (!/\p{L}{2}/u.test(text) || /^[@#./]|^https?:|^--/.test(text)) return false
  if (words.length === 1) return /^\p{Lu}\p{Ll}+[.!?:…]?$/u.test(text)
  // Class names of Tailwind and media types are not texts.
  return (
    words.filter((word) => /^[a-z0-9/[\]:.%()-]*[-:/[][a-z0-9/[\]:.%()-]*$/.test(word)).length <
    words.length / 2
  )
}
