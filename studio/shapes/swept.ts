import { BufferAttribute, BufferGeometry, Curve, type Material, Mesh, Vector3 } from 'three'

/** A line from point to point, the points evenly spaced in its parameter, however far apart they are. */
class Stations extends Curve<Vector3> {
  stations: Vector3[]
  closed: boolean

  constructor(stations: Vector3[], closed: boolean) {
    super()
    this.stations = stations
    this.closed = closed
  }

  override getTangentAt(t: number) {
    const { stations, closed } = this
    const count = stations.length
    const steps = closed ? count : count - 1
    const i = Math.round(t * steps)
    const pick = (k: number) => stations[closed ? (k + count) % count : Math.min(Math.max(k, 0), count - 1)]!
    return pick(i + 1)
      .clone()
      .sub(pick(i - 1))
      .normalize()
  }
}

/** A round bar swept through exactly these points; its radius may change along it (`i`) and around it (`turn`). */
export function swept(
  stations: Vector3[],
  radius: (i: number, turn: number, out: Vector3) => number,
  material: Material,
  { sides = 16, closed = false } = {},
) {
  const steps = closed ? stations.length : stations.length - 1
  const { normals, binormals } = new Stations(stations, closed).computeFrenetFrames(steps, closed)
  const places: number[] = []
  const uvs: number[] = []
  const faces: number[] = []
  for (let i = 0; i <= steps; i++) {
    const middle = stations[i % stations.length]!
    for (let k = 0; k <= sides; k++) {
      const turn = (k / sides) * 2 * Math.PI
      const out = normals[i]!.clone()
        .multiplyScalar(Math.cos(turn))
        .addScaledVector(binormals[i]!, Math.sin(turn))
      const point = middle
        .clone()
        .addScaledVector(out, radius(i % stations.length, turn % (2 * Math.PI), out))
      places.push(point.x, point.y, point.z)
      uvs.push(i / steps, 1 - k / sides)
      if (i === 0 || k === 0) continue
      const here = i * (sides + 1) + k
      const before = here - sides - 1
      faces.push(before - 1, before, here - 1, here - 1, before, here)
    }
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3))
  geometry.setAttribute('uv', new BufferAttribute(new Float32Array(uvs), 2))
  geometry.setIndex(faces)
  geometry.computeVertexNormals()
  sewSeam(geometry, steps, sides, closed)
  return new Mesh(geometry, material)
}

/** Makes the shading meet where the surface closes on itself. */
function sewSeam({ attributes }: BufferGeometry, steps: number, sides: number, closed: boolean) {
  const normal = attributes.normal!
  const join = (a: number, b: number) => {
    const sum = new Vector3().fromBufferAttribute(normal, a).add(new Vector3().fromBufferAttribute(normal, b))
    for (const i of [a, b]) normal.setXYZ(i, ...sum.normalize().toArray())
  }
  for (let i = 0; i <= steps; i++) join(i * (sides + 1), i * (sides + 1) + sides)
  if (closed) for (let k = 0; k <= sides; k++) join(k, steps * (sides + 1) + k)
}
