import { around, type Drawing, hairline, type Point, paint, picture, polar, shape, sheen } from './drawing.ts'
import { bentTube, bolt } from './fittings.ts'
import { disc, link, outline, slab, sprocket } from './outlines.ts'

const mount: Point = [392, 184]
const knuckle: Point = [656, 372]
const guide: Point = [742, 474]
const tension: Point = [836, 718]

/** A long-cage rear derailleur from the drive side: hanger bolt, parallelogram, clutch, two jockey wheels. */
export function rearDerailleur({ jockeyTeeth }: { jockeyTeeth: number }): Drawing {
  return picture(
    bentTube('M170 520C176 380 216 290 306 262', 20, 'rubber'),
    shape(link([298, 264], [342, 256], 15), paint.alloy),
    shape(link(guide, tension, 42, 40), paint.dark),
    jockey(guide, jockeyTeeth),
    jockey(tension, jockeyTeeth),
    cage(),
    shape(outline('372 350, 400 316, 580 380, 640 440, 610 474, 540 450, 400 392'), paint.steel),
    upperKnuckle(),
    outerLink(),
    clutch(),
  )
}

function jockey(at: Point, teeth: number): string {
  return (
    shape(sprocket(at, teeth, 82), paint.rubber) +
    hairline(disc(at, 64), '#767f88', 2, 0.6) +
    around(7, (degrees) => shape(disc(polar(46, degrees, at), 9), paint.steel))
  )
}

function cage(): string {
  const plate = outline(`
    650 400, 690 402, 760 440, 780 480, 790 540, 826 640, 872 690, 878 736, 846 760, 806 748, 792 690,
    772 640, 738 560, 700 500, 654 452
  `)
  const window = outline('752 526, 768 532, 806 640, 800 656, 784 636, 758 566')
  return (
    shape(plate + window, paint.alloy) +
    hairline(plate, '#ffffff', 2, 0.4) +
    [guide, tension].map((at) => shape(disc(at, 25), paint.accent) + bolt(at, 17, paint.steel)).join('')
  )
}

function upperKnuckle(): string {
  const body = outline(`
    346 140, 392 116, 446 142, 464 194, 448 270, 456 340, 420 404, 366 398, 324 340, 304 284, 304 235,
    328 194
  `)
  return (
    shape(body, paint.dark) +
    hairline('M328 300C326 250 342 222 358 204', '#ffffff', 7, 0.22) +
    shape(disc(mount, 50), paint.steel) +
    hairline(disc(mount, 42), '#ffffff', 2, 0.4) +
    bolt(mount, 34, paint.dark) +
    bolt([330, 312], 13, paint.alloy)
  )
}

function outerLink(): string {
  const plate = outline(`
    364 322, 400 286, 460 288, 580 312, 664 326, 706 372, 676 424, 610 426, 500 406, 410 392, 368 362
  `)
  const window = outline('466 330, 500 330, 580 346, 590 376, 562 386, 494 372, 464 356')
  return (
    shape(plate + window, paint.alloy) +
    hairline('M392 300C460 296 580 320 650 332', '#ffffff', 3, 0.9) +
    shape(link([450, 308], [590, 332], 6), paint.accent, 'stroke="none"') +
    bolt([404, 340], 23, paint.steel)
  )
}

function clutch(): string {
  return (
    shape(disc(knuckle, 80), paint.dark) +
    sheen(79, 30, knuckle, 0.4) +
    hairline(disc(knuckle, 68), '#ffffff', 2, 0.25) +
    shape(disc(knuckle, 52), paint.rubber) +
    around(3, (degrees) => bolt(polar(62, degrees + 100, knuckle), 8, paint.alloy)) +
    shape(link(knuckle, [knuckle[0] + 66, knuckle[1] - 62], 18, 12), paint.accent) +
    shape(disc(knuckle, 28), paint.steel) +
    bolt(knuckle, 20, paint.dark) +
    shape(slab(548, 446, 44, 24, 5), paint.steel, 'transform="rotate(22 570 458)"')
  )
}
