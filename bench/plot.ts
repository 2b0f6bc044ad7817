interface Plot {
  x: string
  y: string
  /** On a logarithmic axis. */
  positions: number[]
  lines: { name: string; values: number[] }[]
}

const [width, height, left, top, plotWidth, plotHeight] = [760, 380, 60, 30, 440, 300]
const colours = ['#0b6e4f', '#b3541e', '#3a5a98', '#8a2d6b', '#6b6b00', '#00798c', '#a4243b', '#555']

/** An SVG with a line for each, named at its end. */
export function plotLines({ x, y, positions, lines }: Plot): string {
  const highest = Math.max(...lines.flatMap(({ values }) => values))
  const step =
    10 ** Math.floor(Math.log10(highest)) / (highest / 10 ** Math.floor(Math.log10(highest)) < 3 ? 4 : 1)
  const limit = Math.ceil(highest / step) * step
  const [first, last] = [positions[0]!, positions.at(-1)!].map(Math.log10)
  const toX = (position: number) => left + ((Math.log10(position) - first!) / (last! - first!)) * plotWidth
  const toY = (value: number) => top + plotHeight * (1 - value / limit)
  const ticks = Array.from({ length: Math.round(limit / step) + 1 }, (_, i) => i * step)
  const grid = ticks.map(
    (tick) =>
      `<path d="M${left} ${toY(tick)}h${plotWidth}" stroke="#ddd"/><text x="${left - 8}" y="${toY(tick) + 4}" text-anchor="end">${tick}</text>`,
  )
  const labels = positions.map(
    (position) =>
      `<text x="${toX(position)}" y="${top + plotHeight + 20}" text-anchor="middle">${position.toLocaleString('en')}</text>`,
  )
  // Names that would cover each other move down.
  const ends = lines.map(({ values }, i) => ({ i, y: toY(values.at(-1)!) })).toSorted((a, b) => a.y - b.y)
  for (const [i, end] of ends.entries()) if (i > 0) end.y = Math.max(end.y, ends[i - 1]!.y + 16)
  const excess = Math.max(0, ends.at(-1)!.y - (top + plotHeight))
  const drawn = ends.map(({ i, y }) => {
    const { name, values } = lines[i]!
    const points = values.map((value, at) => `${toX(positions[at]!)},${toY(value)}`).join(' ')
    const colour = colours[i % colours.length]
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${left + plotWidth + 10}" y="${y + 4 - excess}" fill="${colour}">${name}, ${values.at(-1)!.toFixed(0)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${y}, by ${x}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="18">${y}</text><text x="${left + plotWidth / 2}" y="${height - 8}" text-anchor="middle">${x}</text>
${[...grid, ...labels, ...drawn].join('\n')}
</svg>
`
}
