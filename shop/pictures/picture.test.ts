import { expect, test } from 'vitest'
import { pictureSources } from './picture.ts'

test('pictureSources returns four widths in AVIF and WebP for an uploaded picture', () => {
  const picture = `/images/${'0123456789abcdef'.repeat(2)}`
  expect(pictureSources(`${picture}.webp`)).toEqual({
    avif: `${picture}-320.avif 320w, ${picture}-640.avif 640w, ${picture}-960.avif 960w, ${picture}-1600.avif 1600w`,
    webp: `${picture}-320.webp 320w, ${picture}-640.webp 640w, ${picture}-960.webp 960w, ${picture}-1600.webp 1600w`,
    src: `${picture}-960.jpg`,
    full: `${picture}-1600.webp`,
    social: `${picture}-960.jpg`,
  })
})

test('pictureSources returns an external picture unchanged', () => {
  const hash = 'a'.repeat(32)
  for (const url of [
    'https://elsewhere.example/chain.webp',
    `https://elsewhere.example/images/${hash}.webp`,
    '/person.svg',
    '/images/chain.webp',
    `/images/${hash}.jpg`,
    `/images/${hash}-320.webp`,
    `/images/${hash.toUpperCase()}.webp`,
  ]) {
    expect(pictureSources(url), url).toEqual({ src: url, full: url, social: url })
  }
})
