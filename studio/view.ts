import type { Object3D } from 'three'
import type { Point3 } from './shapes/pieces.ts'

/**
 * A part as a model: in millimetres, y up, posed as it lies or stands for its photograph. It is set down on the ground
 * wherever its lowest point is.
 */
export interface Model {
  object: Object3D
  views: [View, View]
}

/** Where the camera stands. The light goes with it: the key light is always to its left and above. */
export interface View {
  /** Degrees around the part, counter-clockwise seen from above; 0 looks along -z. */
  azimuth: number
  /** Degrees above the horizon; 90 looks straight down. */
  elevation: number
  /** Degrees by which the picture is turned, clockwise. */
  roll?: number
  /** How the part is turned for this view, around x, y and z, in radians: over, to show its underside. */
  turned?: Point3
  /** How much of the picture the part fills, the tighter of both ways; 0.8 unless said. */
  fill?: number
  /** For a closer look: its middle in the model's own millimetres, and how many of them the picture is wide. */
  detail?: { at: [x: number, y: number, z: number]; width: number }
}
