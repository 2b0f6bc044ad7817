/** A part as the demo shop opens with it: whole pieces, whole dollars per piece. */
export interface DemoPart {
  name: string
  shortDescription: string
  description: string
  brand: string
  category: string
  minQuantity: number
  availableQuantity: number
  perUnitPrice: number
  /** What its two photographs are called, in db/seed/pictures/ and in the studio. */
  photo: string
}

/** Its photographs: the whole part, and a closer look. `npm run studio` makes them anew. */
export function picturesOf(photo: string) {
  return [1, 2].map((view) => `db/seed/pictures/${photo}-${view}.webp`)
}

/** In catalogue order; the first three are featured on the home page. */
export const demoParts: DemoPart[] = [
  {
    name: 'Talon 42T Narrow-Wide Chainring',
    shortDescription: 'Four-bolt single ring in 7075 alloy for 10- to 12-speed chains.',
    description:
      'CNC-machined from 7075-T6 plate with alternating narrow and wide teeth that hold the chain without a guide. Fits 104 mm bolt circle, four M8 chainring bolts included, 49 mm chainline on a standard spider. 68 g without bolts; hard-anodised, so expect the black to polish off the flanks of the teeth first.',
    brand: 'Aldermoor',
    category: 'Drivetrain',
    minQuantity: 48,
    availableQuantity: 1850,
    perUnitPrice: 32,
    photo: 'chainring',
  },
  {
    name: 'Contour 45 Carbon Front Wheel',
    shortDescription: 'Tubeless 700C disc wheel, 45 mm deep, 28 spokes laced two-cross.',
    description:
      'Hooked carbon rim, 23 mm wide inside, taped and fitted with a tubeless valve. Six-bolt disc hub for a 12 x 100 mm thru-axle on two 6902 cartridge bearings. 745 g, trued to within 0.2 mm; maximum pressure 6 bar with a 28 mm tyre.',
    brand: 'Longbarrow',
    category: 'Wheels',
    minQuantity: 4,
    availableQuantity: 240,
    perUnitPrice: 310,
    photo: 'front-wheel',
  },
  {
    name: 'Fallow Rear Hub 32H, 12 x 148 mm',
    shortDescription: 'Six-bolt Boost hub with a steel ratchet and splined freehub body.',
    description:
      'Forged 6061 shell, 32 holes, flange circles 58 mm left and right, six-bolt disc mount. Four pawls engage a 54-tooth steel ring, 6.7 degrees between clicks; the HG-splined aluminium body pulls off by hand for service. Runs on four 6902 and 6802 cartridge bearings, 298 g.',
    brand: 'Longbarrow',
    category: 'Hubs',
    minQuantity: 12,
    availableQuantity: 620,
    perUnitPrice: 118,
    photo: 'rear-hub',
  },
  {
    name: 'Escarp 170 mm Crankset, 34T',
    shortDescription: 'Forged trail crankset with a direct-mount ring on a 24 mm steel spindle.',
    description:
      'Cold-forged 7050 arms with a pressed-in 24 mm chromoly spindle; the left arm slides onto splines and is held by one preload cap. The 34-tooth direct-mount ring sits at a 52 mm chainline for Boost frames. 698 g complete, without bottom bracket.',
    brand: 'Aldermoor',
    category: 'Drivetrain',
    minQuantity: 8,
    availableQuantity: 430,
    perUnitPrice: 145,
    photo: 'crankset',
  },
  {
    name: 'Meridian 12-Speed Cassette 11-51T',
    shortDescription: 'Wide-range cassette for HG-splined freehub bodies.',
    description:
      'Cogs 11-13-15-17-19-21-24-28-33-39-45-51: the two largest in 7075 alloy on a riveted carrier, the rest in nickel-plated steel. Stamped ramps for shifting under load, lockring included, 40 Nm. 468 g.',
    brand: 'Aldermoor',
    category: 'Drivetrain',
    minQuantity: 24,
    availableQuantity: 960,
    perUnitPrice: 86,
    photo: 'cassette',
  },
  {
    name: 'Meridian 12-Speed Chain',
    shortDescription: '126 links with slotted plates, nickel-plated, quick link included.',
    description:
      'Riveted 1/2 x 11/128 inch chain, 5.2 mm over the pins, with chamfered inner plates for narrow-wide rings. Nickel-plated outer plates, slotted throughout: 252 g at 126 links. The quick link is single use; order spares separately.',
    brand: 'Aldermoor',
    category: 'Drivetrain',
    minQuantity: 60,
    availableQuantity: 4200,
    perUnitPrice: 24,
    photo: 'chain',
  },
  {
    name: 'Meridian Long-Cage Rear Derailleur',
    shortDescription: '12-speed derailleur with a switchable clutch, for cassettes up to 51T.',
    description:
      'Forged alloy links, 14-tooth jockey wheels on sealed bearings and a cage clutch that a lever turns off for wheel changes. Largest cog 51T, total capacity 41T, standard hanger. 312 g; B-gap and limit screws take a 2 mm key.',
    brand: 'Aldermoor',
    category: 'Drivetrain',
    minQuantity: 12,
    availableQuantity: 540,
    perUnitPrice: 92,
    photo: 'rear-derailleur',
  },
  {
    name: 'Cinder 180 mm Floating Rotor',
    shortDescription: 'Six-bolt two-piece rotor, steel band on an alloy carrier.',
    description:
      'Heat-treated 410 stainless band, 1.85 mm thick, riveted to an eight-arm 7075 carrier so that it can expand without warping. ISO six-bolt mount, T25 bolts included. 138 g; replace at 1.5 mm.',
    brand: 'Stillbrook',
    category: 'Brakes',
    minQuantity: 48,
    availableQuantity: 2100,
    perUnitPrice: 38,
    photo: 'rotor',
  },
  {
    name: 'Anvil Four-Piston Caliper',
    shortDescription: 'Post-mount mineral-oil caliper with finned pads fitted.',
    description:
      'Two-piece forged body with four 16 mm phenolic pistons, banjo hose joint and top bleed port. Post mount, 74 mm bolt spacing, for rotors from 160 to 203 mm with the matching adapter. Supplied with finned semi-metallic pads and mounting bolts, 186 g without hose.',
    brand: 'Stillbrook',
    category: 'Brakes',
    minQuantity: 16,
    availableQuantity: 780,
    perUnitPrice: 74,
    photo: 'caliper',
  },
  {
    name: 'Anvil Hydraulic Brake Lever',
    shortDescription: 'One-finger lever with tool-free reach, left or right mounting.',
    description:
      'Forged 6061 body with a 10 mm master piston and a drilled blade pivoting on a sealed bushing. Clamp for 22.2 mm bars, hinged, two M5 bolts at 4 Nm; reach adjusts from 65 to 85 mm. Mineral oil only, 118 g without hose.',
    brand: 'Stillbrook',
    category: 'Brakes',
    minQuantity: 16,
    availableQuantity: 690,
    perUnitPrice: 56,
    photo: 'brake-lever',
  },
  {
    name: 'Cinder Semi-Metallic Disc Pads, Pair',
    shortDescription: 'Brake pads with spring and retaining pin for Anvil calipers.',
    description:
      'Copper-filled semi-metallic compound, 2.2 mm usable, on a 1.8 mm steel back plate with heat slots. Beds in over about 20 firm stops; quieter in the wet than sintered, shorter-lived in mud. Spring and threaded pin with 3 mm socket included.',
    brand: 'Stillbrook',
    category: 'Brakes',
    minQuantity: 120,
    availableQuantity: 5000,
    perUnitPrice: 9,
    photo: 'brake-pads',
  },
  {
    name: 'Tine Butted Spokes with Nipples, Six-Pack',
    shortDescription: 'J-bend stainless spokes 2.0/1.8/2.0 mm with alloy nipples.',
    description:
      'Cold-drawn 18/8 stainless wire, butted from 2.0 to 1.8 mm, 56-thread-per-inch rolled thread over 10 mm. Lengths from 252 to 300 mm in 2 mm steps, stated with the order. 5.6 g each at 264 mm; the six copper-anodised 7075 nipples are 12 mm long.',
    brand: 'Longbarrow',
    category: 'Wheels',
    minQuantity: 96,
    availableQuantity: 4800,
    perUnitPrice: 6,
    photo: 'spokes',
  },
  {
    name: 'Bramble 29 x 2.4 Trail Tyre',
    shortDescription: 'Tubeless-ready mountain tyre with open shoulder knobs.',
    description:
      'Folding tyre on a 60 tpi casing with a bead-to-bead cut layer; dual compound, 62 shore in the middle and 50 on the shoulders. ETRTO 61-622, 1.4 to 2.4 bar, best on rims 28 to 33 mm inside. 985 g within five per cent.',
    brand: 'Fernholt',
    category: 'Tyres',
    minQuantity: 24,
    availableQuantity: 1340,
    perUnitPrice: 42,
    photo: 'trail-tyre',
  },
  {
    name: 'Drover 700 x 45 Gravel Tyre, Tan',
    shortDescription: 'Fast-rolling gravel tyre with a closed centre tread and tan sidewall.',
    description:
      'Folding tubeless-ready tyre, 120 tpi casing with a puncture layer under the tread only, so the sidewall stays supple. ETRTO 45-622, 2 to 4 bar, measures 45 mm on a 25 mm rim. 515 g; the tan wall darkens in sunlight.',
    brand: 'Fernholt',
    category: 'Tyres',
    minQuantity: 24,
    availableQuantity: 1120,
    perUnitPrice: 39,
    photo: 'gravel-tyre',
  },
  {
    name: 'Everyday 700C Inner Tube, Presta 48 mm',
    shortDescription: 'Butyl tube for 700 x 28 to 42, threaded valve with removable core.',
    description:
      'Moulded butyl, 0.9 mm wall, ETRTO 28/42-622. Fully threaded 48 mm Presta valve with removable core, lock nut and cap. 132 g; every tube is held inflated for 24 hours before boxing.',
    brand: 'Fernholt',
    category: 'Tyres',
    minQuantity: 100,
    availableQuantity: 5000,
    perUnitPrice: 3,
    photo: 'inner-tube',
  },
  {
    name: 'Fallow Front Hub 32H, 15 x 110 mm',
    shortDescription: 'Six-bolt Boost front hub on two sealed cartridge bearings.',
    description:
      'Forged 6061 shell, 32 holes, flange circle 58 mm, six-bolt disc mount on the left. Two 6902 cartridge bearings behind lip seals, push-on end caps for a 15 mm thru-axle. 152 g.',
    brand: 'Longbarrow',
    category: 'Hubs',
    minQuantity: 12,
    availableQuantity: 710,
    perUnitPrice: 64,
    photo: 'front-hub',
  },
  {
    name: 'Lintel 60 mm Stem, 31.8 mm',
    shortDescription: 'Forged trail stem with a four-bolt faceplate, 6 degree rise.',
    description:
      'Forged 6061 body, shot-peened and anodised, for 1-1/8 inch steerers and 31.8 mm bars. Length 60 mm, rise or drop 6 degrees, stack height 40 mm. 148 g with six M5 bolts at 5 Nm.',
    brand: 'Ostrand',
    category: 'Cockpit',
    minQuantity: 48,
    availableQuantity: 1650,
    perUnitPrice: 29,
    photo: 'stem',
  },
  {
    name: 'Cornice 780 Riser Bar, 25 mm',
    shortDescription: 'Butted alloy handlebar, 780 mm wide, 31.8 mm clamp.',
    description:
      'Double-butted 7075 tube, 780 mm wide with 25 mm rise, 8 degrees of backsweep and 5 of upsweep. 31.8 mm clamp zone, marked for trimming to 720 mm. 298 g untrimmed; tested for trail and e-bike use.',
    brand: 'Ostrand',
    category: 'Cockpit',
    minQuantity: 24,
    availableQuantity: 880,
    perUnitPrice: 36,
    photo: 'riser-bar',
  },
  {
    name: 'Causeway 440 Flared Drop Bar',
    shortDescription: 'Shallow gravel drop bar, 16 degrees of flare, 440 mm at the hoods.',
    description:
      'Butted 6061 tube, 440 mm at the hoods and 520 mm at the ends, 70 mm reach and 116 mm drop. 31.8 mm clamp, grooves for brake hose and shift cable under the tape. 276 g; also made in 420 and 460 mm.',
    brand: 'Ostrand',
    category: 'Cockpit',
    minQuantity: 24,
    availableQuantity: 9,
    perUnitPrice: 44,
    photo: 'drop-bar',
  },
  {
    name: 'Thicket Lock-On Grips, Pair',
    shortDescription: 'Waffle-pattern grips, 133 mm long, single alloy clamp each.',
    description:
      'Soft 30-shore rubber moulded on a tapered nylon core, 31 mm in diameter, fixed by one inboard clamp with a 3 mm bolt at 3 Nm. For 22.2 mm bars; closed flange outside with a bar-end ring. 104 g the pair.',
    brand: 'Fernholt',
    category: 'Cockpit',
    minQuantity: 48,
    availableQuantity: 2600,
    perUnitPrice: 14,
    photo: 'grips',
  },
  {
    name: 'Heath Trail Saddle, 145 mm',
    shortDescription: 'Pressure-relief saddle on 7 mm chromoly rails.',
    description:
      'Nylon shell reinforced with glass fibre, medium-density foam and a stitched synthetic cover with a full-length relief channel. 145 mm wide, 272 mm long, 7 mm round chromoly rails with 45 mm of adjustment. 268 g.',
    brand: 'Fernholt',
    category: 'Saddles & Seatposts',
    minQuantity: 20,
    availableQuantity: 840,
    perUnitPrice: 35,
    photo: 'saddle',
  },
  {
    name: 'Plumb 27.2 mm Two-Bolt Seatpost',
    shortDescription: 'In-line alloy post, 350 mm long, with a two-bolt micro-adjust head.',
    description:
      '2014 alloy tube, 350 mm long, 27.2 mm in diameter, insertion marked every 5 mm from the minimum line. The zero-offset forged head takes 7 mm round rails, two M6 bolts at 8 Nm. 238 g; also made in 30.9 and 31.6 mm.',
    brand: 'Ostrand',
    category: 'Saddles & Seatposts',
    minQuantity: 48,
    availableQuantity: 1480,
    perUnitPrice: 26,
    photo: 'seatpost',
  },
  {
    name: 'Trestle Platform Pedals, Pair',
    shortDescription: 'Concave alloy flats with twelve replaceable pins a side.',
    description:
      'Extruded and machined 6061 body, 104 x 100 mm, 17 mm thick with a 2 mm concave. Chromoly axle, 9/16 inch thread, on one cartridge bearing and one bushing; pins thread in from behind. 372 g the pair, 15 mm spanner or 6 mm key.',
    brand: 'Kettlewick',
    category: 'Pedals',
    minQuantity: 20,
    availableQuantity: 930,
    perUnitPrice: 48,
    photo: 'platform-pedals',
  },
  {
    name: 'Latch Trail Clipless Pedals, Pair',
    shortDescription: 'Double-sided two-bolt-cleat pedals in a protective alloy cage.',
    description:
      'Stainless claws on both sides with adjustable release tension, indexed, by a 3 mm key. 9/16 inch chromoly axle on a needle and a cartridge bearing, serviceable with an 8 mm socket. 416 g the pair; two-bolt cleats with 6 degrees of float included.',
    brand: 'Kettlewick',
    category: 'Pedals',
    minQuantity: 16,
    availableQuantity: 610,
    perUnitPrice: 68,
    photo: 'clipless-pedals',
  },
  {
    name: 'Quern BSA Bottom Bracket, 24 mm',
    shortDescription: 'External threaded cups for 68 and 73 mm shells and 24 mm spindles.',
    description:
      'Machined 6061 cups, BSA 1.37 inch x 24 tpi, left-hand thread on the drive side, with a sealing sleeve and three 2.5 mm spacers. 6805-size bearings with double contact seals, pressed and replaceable. 94 g, 16-notch 44 mm tool, 40 Nm.',
    brand: 'Kettlewick',
    category: 'Bearings',
    minQuantity: 48,
    availableQuantity: 1900,
    perUnitPrice: 22,
    photo: 'bottom-bracket',
  },
  {
    name: 'Quern Tapered Headset EC34/EC44',
    shortDescription: 'Complete external-cup headset for tapered steerers.',
    description:
      'Machined alloy cups for 34 mm upper and 44 mm lower head tubes, 36/45 degree cartridge bearings, split crown race for 40 mm. Complete with compression ring, top cap, bolt and star nut. Stack height 12 mm above and 14 mm below, 132 g.',
    brand: 'Kettlewick',
    category: 'Bearings',
    minQuantity: 30,
    availableQuantity: 1150,
    perUnitPrice: 34,
    photo: 'headset',
  },
  {
    name: 'Ravine 130 Air Suspension Fork, 29"',
    shortDescription: '130 mm trail fork, 34 mm stanchions, tapered steerer, Boost axle.',
    description:
      'Air spring with adjustable volume, sealed damper with external rebound and low-speed compression, magnesium lowers. Tapered 1-1/8 to 1-1/2 inch alloy steerer, 15 x 110 mm axle included, post mount for 180 mm rotors, 44 mm offset. 1,960 g; lower-leg service every 50 hours.',
    brand: 'Ostrand',
    category: 'Forks',
    minQuantity: 4,
    availableQuantity: 210,
    perUnitPrice: 480,
    photo: 'suspension-fork',
  },
  {
    name: 'Tarn Carbon Gravel Fork, 12 x 100 mm',
    shortDescription: 'Rigid full-carbon fork, flat mount, clearance for 700 x 50.',
    description:
      'Monocoque carbon legs, crown and tapered 1-1/8 to 1-1/2 inch steerer with alloy crown race seat and dropouts. Axle to crown 395 mm, rake 50 mm, flat mount for 160 mm rotors, mudguard bosses. 468 g uncut; expander plug included, 12 mm axle not.',
    brand: 'Ostrand',
    category: 'Forks',
    minQuantity: 6,
    availableQuantity: 260,
    perUnitPrice: 225,
    photo: 'gravel-fork',
  },
]
