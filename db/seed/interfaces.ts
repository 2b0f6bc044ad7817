/** Of all facts below. */
export const dataSheet = { source: 'Winged Wheels data sheet', date: '2026-11-02' }

/** By part number: what each demo part has and needs, as text of the vocabulary in shop/fit. */
export const demoInterfaces: Record<string, string[]> = {
  'WW-CR42': ['rings:42;smallest=42;speeds=10-12', 'ring-fit:bolt circle;circle=104;bolts=4'],
  'WW-WF45': [
    'axle-ends:12x100;axle=thru;end=front',
    'rim:622;inside=23;tyres=28-50;hooked=yes;pressure=6',
    'valve-hole:Presta;depth=45',
    'rotor-mount:six-bolt',
  ],
  'WW-HR148': [
    'axle-ends:12x148;axle=thru;rotor=mountain;end=rear',
    'flanges:32;left=58;right=58;leftOffset=37;rightOffset=23;hole=2.6;head=J-bend',
    'freehub:HG',
    'rotor-mount:six-bolt',
  ],
  'WW-CK34': [
    'rings:34;smallest=34;speeds=12',
    'ring-seat:direct;pattern=Escarp;chainline=52',
    'spindle:24;widths=68,73',
    'crank-thread:9/16x20',
  ],
  'WW-CS12': ['cassette-mount:HG', 'cogs:12;smallest=11;largest=51;chains=Meridian 12'],
  'WW-CN12': ['chain:12;family=Meridian 12'],
  'WW-RD12': ['derailleur:12;cog=-51;capacity=41', 'actuation:speeds=12', 'hanger-mount:standard'],
  'WW-RT180': ['rotor:six-bolt;diameter=180'],
  'WW-BC4': [
    'caliper:post;rotors=160-203',
    'pad-slot:Anvil four-piston',
    'caliper-hydraulics:mineral oil;family=Anvil',
  ],
  'WW-BL1': ['grip-bore:22.2', 'lever-hydraulics:mineral oil;family=Anvil'],
  'WW-BP2': ['pads:Anvil four-piston'],
  'WW-SP6': ['spoke:264;head=J-bend'],
  'WW-TY29': ['tyre:622;width=61;rims=28-33;pressure=1.4-2.4'],
  'WW-TY45': ['tyre:622;width=45;pressure=2-4'],
  'WW-TU48': ['tube:622;widths=28-42', 'valve:Presta;length=48'],
  'WW-HF110': [
    'axle-ends:15x110;axle=thru;rotor=mountain;end=front',
    'flanges:32;left=58;right=58;leftOffset=28;rightOffset=40;hole=2.6;head=J-bend',
    'rotor-mount:six-bolt',
  ],
  'WW-ST60': ['stem-clamp:31.8', 'stem-steerer:28.6'],
  'WW-HB780': ['bar-clamp:31.8', 'grip-zone:22.2'],
  'WW-DB440': ['bar-clamp:31.8', 'grip-zone:23.8-24.2'],
  'WW-GR1': ['grip-bore:22.2'],
  'WW-SD145': ['rails:round 7'],
  'WW-PT272': ['post:27.2', 'rail-clamp:round 7'],
  'WW-PD1': ['pedal-thread:9/16x20'],
  'WW-PD2': ['pedal-thread:9/16x20', 'cleat:two-bolt'],
  'WW-BB24': ['bottom-bracket:BSA;widths=68,73', 'spindle-bore:24;widths=68,73'],
  'WW-HS44': ['headset:EC34/28.6;lower=EC44/40'],
  'WW-FK130': [
    'dropouts:15x110;axle=thru;rotor=mountain;end=front',
    'brake-mount:post;native=180',
    'clearance:622;width=66',
    'steerer:28.6;race=40;material=alloy',
  ],
  'WW-FK100': [
    'dropouts:12x100;axle=thru;end=front',
    'brake-mount:flat;native=160',
    'clearance:622;width=50',
    'steerer:28.6;race=40;material=carbon',
    'axle-thread:diameter=12',
  ],
}
