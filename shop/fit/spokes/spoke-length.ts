export interface SpokeGeometry {
  /** Effective rim diameter in mm. */
  erd: number
  /** Of the flange, in mm. */
  circle: number
  /** From the hub's centre to the flange, in mm. */
  offset: number
  /** Of the spoke, in mm. */
  hole: number
  /** Of this flange: half of the hub's. */
  holes: number
  crosses: number
}

/** The length of a J-bend spoke in mm. */
export function spokeLength({ erd, circle, offset, hole, holes, crosses }: SpokeGeometry) {
  const rim = erd / 2
  const hub = circle / 2
  const angle = ((2 * Math.PI) / holes) * crosses
  return Math.sqrt(rim ** 2 + hub ** 2 + offset ** 2 - 2 * rim * hub * Math.cos(angle)) - hole / 2
}

/** A spoke crosses those of its own flange, and beyond a quarter of a turn it would lie on the hub. */
export function maxCrosses(holes: number) {
  return Math.floor(holes / 4)
}

/** In mm, on both sides of the calculated length. */
export const spokeTolerance = 1
