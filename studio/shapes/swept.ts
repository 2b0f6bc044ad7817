import { BufferAttribute, BufferGeometry, Curve, type Material, Mesh, Vector3 } from 'three'

/** A line from point to point, the points evenly spaced in its parameter, however far apart they are. */
class Stations extends Curve<Vector3> {
  stations: Vector3[]

  constructor(stations: Vector3[]) {
    super()
    this.stations = stations
  }

  override getTangentAt(t: number) {
    const last = this.stations.length - 1
    const i = Math.round(t * last)
    const pick = (k: number) => this.stations[Math.min(Math.max(k, 0), last)]!
    return pick(i + 1)
      .clone()
      .sub(pick(i - 1))
      .normalize()
  }
}

/** A round bar swept through exactly these points; its radius may change along it. */
export function swept(
  stations: Vector3[],
  radius: (i: number) => number,
  material: Material,
  { sides = 16 } = {},
) {
  const steps = stations.length - 1
  const { normals, binormals } = new Stations(stations).computeFrenetFrames(steps)
  const places: number[] = []
  const uvs: number[] = []
  const faces: number[] = []
  for (let i = 0; i <= steps; i++) {
    const middle = stations[i]!
    for (let k = 0; k <= sides; k++) {
      const turn = (k / sides) * 2 * Math.PI
      const out = normals[i]!.clone()
        .multiplyScalar(Math.cos(turn))
        .addScaledVector(binormals[i]!, Math.sin(turn))
      const point = middle.clone().addScaledVector(out, radius(i))
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
  sewSeam(geometry, steps, sides)
  return new Mesh(geometry, material)
}

/** Makes the shading meet where the surface closes on itself. */
function sewSeam({ attributes }: BufferGeometry, steps: number, sides: number) {
  const normal = attributes.normal!
  const join = (a: number, b: number) => {
    const sum = new Vector3().fromBufferAttribute(normal, a).add(new Vector3().fromBufferAttribute(normal, b))
    for (const i of [a, b]) normal.setXYZ(i, ...sum.normalize().toArray())
  }
  for (let i = 0; i <= steps; i++) join(i * (sides + 1), i * (sides + 1) + sides)
}
