import sharp from 'sharp'

const [width, height, across] = [400, 300, 4]

/** Lays both pictures of each part out on one sheet, two parts in a row. */
export async function layOut(names: string[], folder: string, sheet: string) {
  const files = names.flatMap((name) => [1, 2].map((view) => `${folder}/${name}-${view}.webp`))
  const tiles = files.map(async (file, i) => ({
    input: await sharp(file).resize(width, height).toBuffer(),
    left: (i % across) * width,
    top: Math.floor(i / across) * height,
  }))
  const paper = { width: across * width, height: Math.ceil(files.length / across) * height }
  await sharp({ create: { ...paper, channels: 3, background: '#fff' } })
    .composite(await Promise.all(tiles))
    .webp({ quality: 82 })
    .toFile(sheet)
}
