import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { DocumentColumn, DocumentLayout } from './layout.ts'
import { createTypesetter, drawLine, type TextStyle, type Typesetter, wrapText } from './pdf-text.server.ts'

/** Points. A4, and low enough for Letter paper without scaling. */
const page = { width: 595.28, height: 841.89, margin: 48, top: 64, bottom: 762 }
const inner = page.width - 2 * page.margin
const right = page.width - page.margin
const leading = 1.35
const maxWrappedLines = 40
const cellGap = 8
const pictureHeight = 150
const rowPadding = 4.5
/** After which other requests get their turn. */
const rowsAtOnce = 5

const accent = '#c43c14'
const grey = '#5c6670'
const rule = '#c9d0d6'
const text: TextStyle = { size: 9.5 }
const bold: TextStyle = { size: 9.5, bold: true }
const label: TextStyle = { size: 8.5, color: grey }
const small: TextStyle = { size: 8.5 }
const detail: TextStyle = { size: 7.5, color: grey }

const oneAtATime = pLimit(1)

/** The same bytes for the same layout and picture, a JPEG below the lines at the left. */
export function renderPdf(layout: DocumentLayout, picture: Uint8Array | null = null): Promise<File> {
  return oneAtATime(() => render([layout], layout.fileName, picture))
}

/** Each starts on a page of its own. */
export function renderPdfs(layouts: DocumentLayout[], fileName: string): Promise<File> {
  return oneAtATime(() => render(layouts, fileName, null))
}

async function render(layouts: DocumentLayout[], fileName: string, picture: Uint8Array | null) {
  const { title, number, seller, issuedAt } = layouts[0]!
  const date = new Date(issuedAt)
  // Loaded with the first document: it takes a fifth of a start.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en-GB',
    displayTitle: true,
    info: {
      Title: layouts.length === 1 ? `${title} ${number}` : `${title}s`,
      Author: seller[0]!,
      CreationDate: date,
      ModDate: date,
    },
  })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject))
  doc.on('data', (chunk) => chunks.push(chunk))
  const sheet: Sheet = {
    doc,
    typesetter: await createTypesetter(doc, layouts.flatMap(listTexts)),
    y: page.top,
    picture,
  }
  for (const [i, layout] of layouts.entries()) {
    if (i > 0) doc.addPage()
    const firstPage = doc.bufferedPageRange().count - 1
    drawHead(sheet, layout)
    await drawTable(sheet, layout)
    drawEnd(sheet, layout)
    drawFooters(sheet, layout, firstPage)
  }
  doc.end()
  await ended
  return new File(chunks, `${fileName}.pdf`, { type: 'application/pdf' })
}

function listTexts(layout: DocumentLayout) {
  const {
    title,
    number,
    notice,
    seller,
    deliverTo,
    facts,
    rows,
    rowDetails = [],
    subtotals = [],
    totals,
    notes,
  } = layout
  const lines = [title, number, notice ?? '', ...seller, ...deliverTo, ...rowDetails, ...notes]
  return [...lines, ...facts.flat(), ...rows.flat(), ...subtotals.flat(), ...totals.flat()]
}

interface Sheet {
  doc: PDFKit.PDFDocument
  typesetter: Typesetter
  y: number
  picture: Uint8Array | null
}

interface Box {
  x: number
  width: number
  align?: 'left' | 'right'
}

/** Returns the height. */
function drawText({ typesetter }: Sheet, content: string, y: number, box: Box, style: TextStyle) {
  const { x, width, align = 'left' } = box
  const lines = wrapText(typesetter, content, width, style).slice(0, maxWrappedLines)
  const height = style.size * leading
  const edge = align === 'left' ? x : x + width
  for (const [i, line] of lines.entries())
    drawLine(typesetter, line, { x: edge, y: y + style.size + i * height, align }, style)
  return lines.length * height
}

function measureText({ typesetter }: Sheet, content: string, { width }: Box, style: TextStyle) {
  const lines = wrapText(typesetter, content, width, style).length
  return Math.min(maxWrappedLines, lines) * style.size * leading
}

function drawRule({ doc }: Sheet, y: number, { color = rule, width = 0.75 } = {}) {
  doc.moveTo(page.margin, y).lineTo(right, y).lineWidth(width).strokeColor(color).stroke()
}

function drawHead(sheet: Sheet, layout: DocumentLayout) {
  const { title, number, notice, seller, deliverTo, deliverToLabel, facts } = layout
  const half = inner / 2 - 16
  const leftBox = { x: page.margin, width: half }
  const rightBox = { x: right - half, width: half }
  drawRule(sheet, 44, { color: accent, width: 3 })
  const titleHeight = drawText(sheet, title, 58, leftBox, { size: 21, bold: true })
  drawText(sheet, number, 60 + titleHeight, leftBox, { size: 11, color: grey })
  let y = 60
  for (const [i, line] of seller.entries())
    y += drawText(sheet, line, y, { ...rightBox, align: 'right' }, i === 0 ? { size: 12, bold: true } : small)
  sheet.y = Math.max(y, 60 + titleHeight + 20) + 22

  if (notice) {
    const height = drawText(sheet, notice, sheet.y + 7, { x: page.margin + 12, width: inner - 24 }, bold)
    sheet.doc
      .rect(page.margin, sheet.y, inner, height + 14)
      .lineWidth(1)
      .strokeColor('#000000')
      .stroke()
    sheet.y += height + 34
  }
  const linesEnd = drawLines(sheet, deliverToLabel, deliverTo, leftBox)
  const ends = [drawPicture(sheet, linesEnd, leftBox), drawFacts(sheet, facts, rightBox)]
  sheet.y = Math.max(...ends) + 26
}

/** Returns where it ends. */
function drawPicture({ doc, picture }: Sheet, y: number, { x, width }: Box) {
  if (!picture) return y
  doc.image(Buffer.from(picture), x, y + 10, { fit: [width, pictureHeight] })
  return y + 10 + pictureHeight
}

function drawLines(sheet: Sheet, title: string, lines: string[], box: Box) {
  let { y } = sheet
  y += drawText(sheet, title, y, box, label) + 3
  for (const line of lines) y += drawText(sheet, line, y, box, text)
  return y
}

function drawFacts(sheet: Sheet, facts: [string, string][], { x, width }: Box) {
  let { y } = sheet
  for (const [term, value] of facts) {
    drawText(sheet, term, y + 0.7, { x, width: 76 }, label)
    y += drawText(sheet, value, y, { x: x + 80, width: width - 80, align: 'right' }, text) + 3
  }
  return y
}

async function drawTable(sheet: Sheet, layout: DocumentLayout) {
  const { columns, rows, rowDetails } = layout
  if (rows.length === 0) return
  const boxes = toBoxes(columns)
  const mainColumn = columns.findIndex(({ main }) => main)
  if (sheet.y + 60 > page.bottom) startPage(sheet, layout)
  drawTableHead(sheet, columns, boxes)
  for (const [i, row] of rows.entries()) {
    if (i % rowsAtOnce === 0) await nextTurn()
    const styles = columns.map(({ kind }) => (kind === 'number' ? { ...text, tabular: true } : text))
    const heights = row.map((cell, at) => measureText(sheet, cell, boxes[at]!, styles[at]!))
    const details = rowDetails?.[i]
    const detailsY = heights[mainColumn]! + rowPadding
    if (details) heights[mainColumn]! += measureText(sheet, details, boxes[mainColumn]!, detail)
    const height = Math.max(...heights) + 2 * rowPadding
    if (sheet.y + height > page.bottom) {
      startPage(sheet, layout)
      drawTableHead(sheet, columns, boxes)
    }
    for (const [at, cell] of row.entries()) {
      const isBox = columns[at]!.kind === 'check' && cell === ''
      if (isBox)
        sheet.doc
          .rect(boxes[at]!.x + 1, sheet.y + rowPadding + 1, 10, 10)
          .lineWidth(0.9)
          .strokeColor('#000000')
          .stroke()
      else drawText(sheet, cell, sheet.y + rowPadding, boxes[at]!, styles[at]!)
    }
    if (details) drawText(sheet, details, sheet.y + detailsY, boxes[mainColumn]!, detail)
    sheet.y += height
    drawRule(sheet, sheet.y)
  }
}

function toBoxes(columns: DocumentColumn[]): Required<Box>[] {
  let x = page.margin
  return columns.map(({ kind, share }) => {
    const width = share * inner
    const align = kind === 'number' ? ('right' as const) : ('left' as const)
    const box = { x, width: align === 'left' ? width - cellGap : width, align }
    x += width
    return box
  })
}

function drawTableHead(sheet: Sheet, columns: DocumentColumn[], boxes: Box[]) {
  const heights = columns.map(({ label: name }, i) => drawText(sheet, name, sheet.y, boxes[i]!, label))
  sheet.y += Math.max(...heights) + 4
  drawRule(sheet, sheet.y, { color: '#000000', width: 1 })
}

function startPage(sheet: Sheet, { title, number }: DocumentLayout) {
  sheet.doc.addPage()
  drawText(sheet, `${title} ${number}`, 44, { x: page.margin, width: inner }, bold)
  sheet.y = page.top + 12
}

function drawEnd(sheet: Sheet, layout: DocumentLayout) {
  const { subtotals = [], totals, notes } = layout
  const height = 30 * totals.length + 20 * subtotals.length + 40 * notes.length
  if (sheet.y + height > page.bottom) startPage(sheet, layout)
  sheet.y += 8
  const styles = [
    [subtotals, { ...text, tabular: true }],
    [totals, { size: 12, bold: true, tabular: true }],
  ] as const
  for (const [facts, style] of styles)
    for (const [term, value] of facts) {
      drawText(sheet, term, sheet.y, { x: page.margin, width: inner / 2 }, style)
      sheet.y += drawText(sheet, value, sheet.y, { x: page.margin, width: inner, align: 'right' }, style)
    }
  sheet.y += 18
  for (const note of notes)
    sheet.y += drawText(sheet, note, sheet.y, { x: page.margin, width: inner }, text) + 4
}

/** Leaves the document on its last page. */
function drawFooters(sheet: Sheet, { title, number, seller }: DocumentLayout, firstPage: number) {
  const count = sheet.doc.bufferedPageRange().count - firstPage
  const box = { x: page.margin, width: inner }
  for (let i = 0; i < count; i++) {
    sheet.doc.switchToPage(firstPage + i)
    drawText(sheet, `${seller[0]} · ${title} ${number}`, 774, box, label)
    drawText(sheet, `Page ${i + 1} of ${count}`, 774, { ...box, align: 'right' }, label)
  }
}
