import { expect, test } from 'vitest'
import { computeNormals } from './crease.ts'

/** Two triangles that share an edge along y, the second turned up by so many degrees. */
function bend(degrees: number) {
  const [x, z] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const positions = new Float32Array([0, 0, 0, 0, 1, 0, -1, 0, 0, x, 0, z])
  return computeNormals(positions, [0, 1, 2, 0, 3, 1])
}
const ofCorner = (normals: Float32Array, i: number) =>
  [...normals.slice(i * 3, i * 3 + 3)].map((n) => Math.round(n * 1000) / 1000)

test('computeNormals smooths a bend of 20°, and leaves the far corners alone', () => {
  const normals = bend(20)
  expect(ofCorner(normals, 0)).toEqual(ofCorner(normals, 3))
  expect(ofCorner(normals, 2)).toEqual([0, 0, 1])
})

test('computeNormals keeps an edge of 60°', () => {
  const normals = bend(60)
  expect(ofCorner(normals, 0)).toEqual([0, 0, 1])
  expect(ofCorner(normals, 3)).toEqual([-0.866, 0, 0.5])
})

test('computeNormals gives no direction to a triangle without area', () => {
  expect([...computeNormals(new Float32Array(9), [0, 1, 2])]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
})
