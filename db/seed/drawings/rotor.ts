import {
  around,
  centre,
  type Drawing,
  hairline,
  type Point,
  paint,
  picture,
  polar,
  shape,
  sheen,
} from './drawing.ts'
import { bolt } from './fittings.ts'
import { disc, link, slot, smooth, wavy } from './outlines.ts'

/** A two-piece six-bolt rotor: vented steel band riveted to an alloy carrier. */
export function rotor({ arms }: { arms: number }): Drawing {
  const outer = 330
  const inner = 252
  const band =
    wavy(centre, (degrees) => outer + 5 * Math.cos((degrees * 12 * Math.PI) / 180), 2) +
    wavy(centre, (degrees) => inner + 5 * Math.cos((degrees * 12 * Math.PI) / 180), 2) +
    vents()
  return picture(
    around(arms, (degrees) => carrierArm(degrees)),
    shape(disc(centre, 122) + disc(centre, 70), paint.dark),
    sheen(121, 71),
    hairline(disc(centre, 76), '#ffffff', 2, 0.3),
    shape(band, paint.alloy),
    sheen(outer - 6, inner + 6, centre, 0.45),
    around(arms, (degrees) => rivet(polar(238, degrees + 22))),
    around(6, (degrees) => bolt(polar(96, degrees + 30), 16, paint.steel)),
  )
}

function vents(): string {
  return around(
    24,
    (degrees) =>
      link(polar(268, degrees), polar(282, degrees + 4.2), 7) +
      link(polar(298, degrees + 5), polar(314, degrees + 9.4), 7) +
      (Math.round(degrees / 15) % 2
        ? disc(polar(290, degrees - 4), 7)
        : slot(centre, 300, 312, degrees - 3, degrees)),
  )
}

function carrierArm(degrees: number): string {
  const side = (radius: number, turn: number): Point => polar(radius, degrees + turn)
  const outline = smooth(
    [
      side(100, -30),
      side(140, -15),
      side(190, 4),
      side(232, 13),
      side(262, 16),
      side(262, 28),
      side(228, 29),
      side(185, 21),
      side(140, 10),
      side(100, 12),
    ],
    true,
  )
  const window = smooth(
    [side(142, -3), side(186, 13), side(214, 19), side(212, 22), side(180, 17), side(140, 3)],
    true,
  )
  return shape(outline + window, paint.dark)
}

function rivet(at: Point): string {
  return (
    shape(disc(at, 20), paint.accent) + shape(disc(at, 10), paint.steel) + shape(disc(at, 4), paint.shade)
  )
}
