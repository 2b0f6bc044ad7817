import { expect, test } from 'vitest'
import { judgeBuild, judgeFit } from './judge.ts'
import { findRule, fitRules } from './rules.ts'
import { makeFitPart } from './stated.ts'
import { interfaceKinds, needingKinds } from './vocabulary.ts'

const source = { source: 'Data sheet', date: '2026-11-02' }

type Row = [a: string, b: string, answer: 'fits' | 'doesNotFit' | 'notKnown' | `with ${string}`]

const pairs: Record<string, Row[]> = {
  'cassette and freehub': [
    ['cassette-mount:HG', 'freehub:HG', 'fits'],
    ['cassette-mount:HG', 'freehub:HG-road11', 'with a 1.85 mm spacer'],
    ['cassette-mount:HG;spacer=1', 'freehub:HG-road11', 'with 1.85 mm and 1 mm spacers'],
    ['cassette-mount:HG;spacer=1', 'freehub:HG', 'with a 1 mm spacer'],
    ['cassette-mount:HG-road11', 'freehub:HG', 'doesNotFit'],
    ['cassette-mount:XD', 'freehub:XDR', 'with a 1.85 mm spacer'],
    ['cassette-mount:XDR', 'freehub:XD', 'doesNotFit'],
    ['cassette-mount:HG', 'freehub:XD', 'doesNotFit'],
    ['cassette-mount:HG', 'freehub:HG-L2', 'doesNotFit'],
    ['cassette-mount:HG;also=HG-L2', 'freehub:HG-L2', 'fits'],
    ['cassette-mount:HG-L2', 'freehub:HG', 'doesNotFit'],
    ['cassette-mount:Micro Spline', 'freehub:', 'notKnown'],
    ['cassette-mount:also=HG', 'freehub:HG', 'notKnown'],
  ],
  'chain and cassette': [
    ['chain:12;family=Eagle', 'cogs:12;chains=Eagle,T-Type', 'fits'],
    ['chain:12;family=hyperglide +', 'cogs:12;chains=Hyperglide+', 'fits'],
    ['chain:12;family=Eagle', 'cogs:11;chains=Eagle', 'doesNotFit'],
    ['chain:12', 'cogs:11', 'doesNotFit'],
    ['chain:12;family=Flattop', 'cogs:12;chains=Eagle', 'doesNotFit'],
    ['chain:12;family=Eagle', 'cogs:12;chains=Flattop', 'doesNotFit'],
    ['chain:12;family=HG', 'cogs:12;chains=Eagle;not=HG', 'doesNotFit'],
    ['chain:12;family=HG', 'cogs:12;chains=Eagle', 'notKnown'],
    ['chain:12;family=HG', 'cogs:12', 'notKnown'],
    ['chain:12', 'cogs:12;chains=HG', 'notKnown'],
    ['chain:family=HG', 'cogs:chains=HG', 'notKnown'],
  ],
  'chain and chainring': [
    ['chain:12', 'rings:34;speeds=10-12', 'fits'],
    ['chain:9', 'rings:34;speeds=10-12', 'doesNotFit'],
    ['chain:12', 'rings:34', 'notKnown'],
    ['chain:11', 'rings:34;speeds=-12', 'notKnown'],
  ],
  'chainring and crank': [
    ['ring-fit:bolt circle;circle=104;bolts=4', 'ring-seat:bolt circle;circle=104;bolts=4', 'fits'],
    ['ring-fit:bolt circle;circle=104;bolts=4', 'ring-seat:bolt circle;circle=110;bolts=4', 'doesNotFit'],
    ['ring-fit:bolt circle;circle=110;bolts=4', 'ring-seat:bolt circle;circle=110;bolts=5', 'doesNotFit'],
    ['ring-fit:bolt circle;circle=104;bolts=4', 'ring-seat:direct', 'doesNotFit'],
    ['ring-fit:direct;pattern=Escarp', 'ring-seat:direct;pattern=escarp', 'fits'],
    ['ring-fit:direct;pattern=Three bolt', 'ring-seat:direct;pattern=Escarp', 'doesNotFit'],
    ['ring-fit:direct', 'ring-seat:direct;pattern=Escarp', 'notKnown'],
    ['ring-fit:bolt circle;circle=104', 'ring-seat:bolt circle;circle=104;bolts=4', 'notKnown'],
    ['ring-fit:', 'ring-seat:direct', 'notKnown'],
  ],
  'derailleur and cassette': [
    ['derailleur:12;cog=45-51;capacity=41', 'cogs:12;smallest=11;largest=51', 'fits'],
    ['derailleur:12;cog=-51;capacity=41', 'cogs:12;smallest=11;largest=51', 'fits'],
    ['derailleur:12;cog=45-51;capacity=41', 'cogs:12;smallest=10;largest=52', 'doesNotFit'],
    ['derailleur:12;cog=45-51;capacity=41', 'cogs:12;smallest=11;largest=34', 'doesNotFit'],
    ['derailleur:12;cog=45-51;capacity=39', 'cogs:12;smallest=11;largest=51', 'doesNotFit'],
    ['derailleur:11;cog=45-51;capacity=41', 'cogs:12;smallest=11;largest=51', 'doesNotFit'],
    ['derailleur:12;cog=-51;capacity=41', 'cogs:12;smallest=11;largest=42', 'notKnown'],
    ['derailleur:12;cog=45-51', 'cogs:12;smallest=11;largest=51', 'notKnown'],
    ['derailleur:cog=45-51;capacity=41', 'cogs:12;smallest=11;largest=51', 'notKnown'],
    ['derailleur:12;cog=45-51;capacity=41', 'cogs:12;largest=51', 'notKnown'],
  ],
  'derailleur and shifter': [
    ['actuation:Meridian;speeds=12', 'shifter:Meridian;speeds=12', 'fits'],
    ['actuation:Meridian;speeds=12', 'shifter:Meridian;speeds=11', 'notKnown'],
    ['actuation:Meridian;speeds=12', 'shifter:Exact;speeds=12', 'notKnown'],
    ['actuation:speeds=12', 'shifter:Exact;speeds=12', 'notKnown'],
  ],
  'derailleur and frame': [
    ['hanger-mount:standard', 'hanger:standard', 'fits'],
    ['hanger-mount:full', 'hanger:UDH', 'fits'],
    ['hanger-mount:full', 'hanger:standard', 'doesNotFit'],
    ['hanger-mount:direct', 'hanger:standard', 'doesNotFit'],
    ['hanger-mount:standard', 'hanger:direct', 'doesNotFit'],
    ['hanger-mount:standard', 'hanger:UDH', 'notKnown'],
    ['hanger-mount:', 'hanger:UDH', 'notKnown'],
  ],
  'pedal and crank': [
    ['pedal-thread:9/16x20', 'crank-thread:9/16 × 20', 'fits'],
    ['pedal-thread:9/16x20', 'crank-thread:1/2x20', 'doesNotFit'],
    ['pedal-thread:9/16x20', 'crank-thread:', 'notKnown'],
  ],
  'cleat and shoe': [
    ['cleat:two-bolt', 'sole:two-bolt', 'fits'],
    ['cleat:two-bolt', 'sole:three-bolt', 'doesNotFit'],
    ['cleat:two-bolt', 'sole:', 'notKnown'],
  ],
  'bottom bracket and shell': [
    ['bottom-bracket:BSA;widths=68,73', 'shell:BSA;width=73', 'fits'],
    ['bottom-bracket:BSA;widths=68,73', 'shell:T47;width=68', 'doesNotFit'],
    ['bottom-bracket:BSA;widths=68,73', 'shell:BSA;width=83', 'doesNotFit'],
    ['bottom-bracket:T47;widths=86;bearings=inside', 'shell:T47;width=86;bearings=inside', 'fits'],
    ['bottom-bracket:T47;widths=86;bearings=inside', 'shell:T47;width=86;bearings=outside', 'doesNotFit'],
    ['bottom-bracket:T47;widths=86;bearings=inside', 'shell:T47;width=86', 'notKnown'],
    ['bottom-bracket:BSA;widths=68,73', 'shell:BSA', 'notKnown'],
    ['bottom-bracket:BSA', 'shell:BSA;width=68', 'notKnown'],
    ['bottom-bracket:widths=68', 'shell:BSA;width=68', 'notKnown'],
  ],
  'crank and bottom bracket': [
    ['spindle:24;widths=68,73', 'spindle-bore:24;widths=68,73', 'fits'],
    ['spindle:28.99;widths=68,73', 'spindle-bore:24;widths=68,73', 'doesNotFit'],
    ['spindle:24/22;widths=68', 'spindle-bore:24;widths=68', 'doesNotFit'],
    ['spindle:24;widths=83', 'spindle-bore:24;widths=68,73', 'doesNotFit'],
    ['spindle:24;widths=73', 'spindle-bore:24;widths=68,73', 'notKnown'],
    ['spindle:24', 'spindle-bore:24;widths=68,73', 'notKnown'],
    ['spindle:24;widths=68', 'spindle-bore:24', 'notKnown'],
    ['spindle:', 'spindle-bore:24', 'notKnown'],
  ],
  'headset and head tube': [
    ['headset:EC34/28.6;lower=EC44/40', 'head-tube:EC34;lower=EC44', 'fits'],
    ['headset:EC34/28.6;lower=EC44/40', 'head-tube:ZS44;lower=ZS56', 'doesNotFit'],
    ['headset:EC34/28.6;lower=EC44/40', 'head-tube:EC34;lower=EC49', 'doesNotFit'],
    ['headset:EC34/28.6;lower=EC44/40', 'head-tube:EC34', 'notKnown'],
    ['headset:ZS44/28.6;lower=EC44/40', 'head-tube:ZS44;lower=ZS44', 'notKnown'],
    ['headset:ZS42/28.6;lower=ZS52/40', 'head-tube:IS42;lower=IS52', 'doesNotFit'],
    [
      'headset:IS42/28.6;lower=IS52/40;upperAngles=36x45;lowerAngles=36x45',
      'head-tube:IS42;lower=IS52;upperAngles=36x45;lowerAngles=36x45',
      'fits',
    ],
    [
      'headset:IS42/28.6;lower=IS52/40;upperAngles=36x45;lowerAngles=36x45',
      'head-tube:IS42;lower=IS52;upperAngles=36x45;lowerAngles=45x45',
      'doesNotFit',
    ],
    [
      'headset:IS42/28.6;lower=IS52/40;upperAngles=36x45;lowerAngles=36x45',
      'head-tube:IS42;lower=IS52;upperAngles=36x45',
      'notKnown',
    ],
  ],
  'headset and fork': [
    ['headset:EC34/28.6;lower=EC44/40', 'steerer:28.6;race=40', 'fits'],
    ['headset:EC34/28.6;lower=EC44/40', 'steerer:28.6;race=30', 'doesNotFit'],
    ['headset:EC34/28.6;lower=EC44/40', 'steerer:25.4;race=40', 'doesNotFit'],
    ['headset:EC34/28.6;lower=EC44/40', 'steerer:28.6', 'notKnown'],
    ['headset:EC34;lower=EC44/40', 'steerer:28.6;race=40', 'notKnown'],
  ],
  'rotor and hub': [
    ['rotor:six-bolt', 'rotor-mount:six-bolt', 'fits'],
    ['rotor:Center Lock', 'rotor-mount:centerlock', 'fits'],
    ['rotor:six-bolt', 'rotor-mount:Center Lock', 'with a Center Lock adapter for six-bolt rotors'],
    ['rotor:Center Lock', 'rotor-mount:six-bolt', 'doesNotFit'],
    ['rotor:diameter=180', 'rotor-mount:six-bolt', 'notKnown'],
  ],
  'rotor and mount': [
    ['rotor:six-bolt;diameter=180', 'brake-mount:post;native=180;largest=203', 'fits'],
    [
      'rotor:six-bolt;diameter=200',
      'brake-mount:post;native=180;largest=203',
      'with a +20 mm caliper adapter',
    ],
    [
      'rotor:six-bolt;diameter=203',
      'brake-mount:post;native=180;largest=203',
      'with a +23 mm caliper adapter',
    ],
    ['rotor:six-bolt;diameter=160', 'brake-mount:post;native=180;largest=203', 'doesNotFit'],
    ['rotor:six-bolt;diameter=220', 'brake-mount:post;native=180;largest=203', 'doesNotFit'],
    ['rotor:six-bolt;diameter=200', 'brake-mount:post;native=180', 'notKnown'],
    ['rotor:six-bolt;diameter=180', 'brake-mount:post', 'notKnown'],
    ['rotor:six-bolt', 'brake-mount:post;native=180', 'notKnown'],
  ],
  'rotor and caliper': [
    ['rotor:six-bolt;diameter=180', 'caliper:post;rotors=160-203', 'fits'],
    ['rotor:six-bolt;diameter=140', 'caliper:post;rotors=160-203', 'doesNotFit'],
    ['rotor:six-bolt;diameter=180', 'caliper:post', 'notKnown'],
  ],
  'caliper and mount': [
    ['caliper:post', 'brake-mount:post', 'fits'],
    ['caliper:post', 'brake-mount:IS', 'with an IS to post-mount adapter for the rotor'],
    ['caliper:flat', 'brake-mount:post', 'doesNotFit'],
    ['caliper:post', 'brake-mount:flat', 'doesNotFit'],
    ['caliper:post', 'brake-mount:native=180', 'notKnown'],
  ],
  'pads and caliper': [
    ['pads:Anvil', 'pad-slot:Anvil', 'fits'],
    ['pads:Anvil', 'pad-slot:Other', 'notKnown'],
    ['pads:', 'pad-slot:Other', 'notKnown'],
  ],
  'lever and caliper': [
    ['lever-hydraulics:mineral oil;family=Anvil', 'caliper-hydraulics:mineral oil;family=Anvil', 'fits'],
    ['lever-hydraulics:DOT', 'caliper-hydraulics:mineral oil;family=Anvil', 'doesNotFit'],
    ['lever-hydraulics:mineral oil;family=Other', 'caliper-hydraulics:mineral oil;family=Anvil', 'notKnown'],
    ['lever-hydraulics:mineral oil', 'caliper-hydraulics:mineral oil;family=Anvil', 'notKnown'],
  ],
  'tyre and rim': [
    ['tyre:622;width=45;pressure=2-4', 'rim:622;inside=25;tyres=35-50;hooked=yes', 'fits'],
    ['tyre:584;width=45', 'rim:622;inside=25;tyres=35-50;hooked=yes', 'doesNotFit'],
    ['tyre:622;width=61', 'rim:622;inside=25;tyres=35-50;hooked=yes', 'doesNotFit'],
    ['tyre:622;width=50;rims=28-33', 'rim:622;inside=23;hooked=yes', 'doesNotFit'],
    ['tyre:622;width=50;rims=28-33', 'rim:622;tyres=35-50;hooked=yes', 'notKnown'],
    ['tyre:622;width=45;pressure=5-8', 'rim:622;tyres=35-50;hooked=yes;pressure=4', 'doesNotFit'],
    ['tyre:622;width=45', 'rim:622;inside=25;hooked=yes', 'notKnown'],
    ['tyre:622', 'rim:622;inside=25;tyres=35-50;hooked=yes', 'notKnown'],
    ['tyre:622;width=45', 'rim:622;inside=25;tyres=35-50', 'notKnown'],
    ['tyre:622;width=45;hookless=yes;pressure=2-4', 'rim:622;tyres=35-50;hooked=no;pressure=4.5', 'fits'],
    [
      'tyre:622;width=45;hookless=no;pressure=2-4',
      'rim:622;tyres=35-50;hooked=no;pressure=4.5',
      'doesNotFit',
    ],
    [
      'tyre:622;width=45;hookless=yes;pressure=5.5-8',
      'rim:622;tyres=35-50;hooked=no;pressure=6',
      'doesNotFit',
    ],
    ['tyre:622;width=45;pressure=2-4', 'rim:622;tyres=35-50;hooked=no;pressure=4.5', 'notKnown'],
    ['tyre:622;width=45;hookless=yes', 'rim:622;tyres=35-50;hooked=no;pressure=4.5', 'notKnown'],
    ['tyre:622;width=45;hookless=yes;pressure=2-4', 'rim:622;tyres=35-50;hooked=no', 'notKnown'],
  ],
  'tyre and frame or fork': [
    ['tyre:622;width=50', 'clearance:622;width=50', 'fits'],
    ['tyre:622;width=61', 'clearance:622;width=50', 'doesNotFit'],
    ['tyre:584;width=40', 'clearance:622;width=50', 'notKnown'],
    ['tyre:622', 'clearance:622;width=50', 'notKnown'],
  ],
  'tube and tyre': [
    ['tube:622;widths=28-42', 'tyre:622;width=35', 'fits'],
    ['tube:622;widths=28-42', 'tyre:622;width=45', 'doesNotFit'],
    ['tube:622;widths=28-42', 'tyre:584;width=35', 'doesNotFit'],
    ['tube:622', 'tyre:622;width=35', 'notKnown'],
    ['tube:622;widths=28-42', 'tyre:622', 'notKnown'],
  ],
  'valve and rim': [
    ['valve:Presta;length=60', 'valve-hole:Presta;depth=45', 'fits'],
    ['valve:Presta;length=59', 'valve-hole:Presta;depth=45', 'doesNotFit'],
    ['valve:Schrader;length=80', 'valve-hole:Presta;depth=45', 'doesNotFit'],
    ['valve:Presta', 'valve-hole:Presta;depth=45', 'notKnown'],
    ['valve:Presta;length=60', 'valve-hole:Presta', 'notKnown'],
    ['valve:length=60', 'valve-hole:Presta;depth=45', 'notKnown'],
  ],
  'hub and frame or fork': [
    ['axle-ends:15x110', 'dropouts:15 × 110', 'fits'],
    [
      'axle-ends:12x100;kits=9x100,15x100',
      'dropouts:15x100',
      'with the hub’s own end-cap kit for 15 × 100 mm',
    ],
    ['axle-ends:12x100', 'dropouts:15x110', 'doesNotFit'],
    ['axle-ends:12x100;rotor=road', 'dropouts:12x100;rotor=mountain', 'doesNotFit'],
    ['axle-ends:9x100;axle=QR', 'dropouts:9x100;axle=thru', 'doesNotFit'],
    ['axle-ends:12x148;end=rear', 'dropouts:15x110;end=front', 'doesNotFit'],
    ['axle-ends:12x100', 'dropouts:', 'notKnown'],
  ],
  'thru-axle and frame or fork': [
    ['thru-axle:12;length=119;pitch=1.5;head=flat', 'axle-thread:12;length=119;pitch=1.5;head=flat', 'fits'],
    [
      'thru-axle:12;length=119;pitch=1.75;head=flat',
      'axle-thread:12;length=119;pitch=1.5;head=flat',
      'doesNotFit',
    ],
    [
      'thru-axle:12;length=119;pitch=1.5;head=flat',
      'axle-thread:12;length=119;pitch=1.5;head=conical',
      'doesNotFit',
    ],
    ['thru-axle:12;length=119;pitch=1.5', 'axle-thread:12;length=119;pitch=1.5;head=flat', 'notKnown'],
  ],
  'rim and hub': [
    ['drilling:32;erd=600', 'flanges:32', 'fits'],
    ['drilling:28;erd=600', 'flanges:32', 'doesNotFit'],
    ['drilling:erd=600', 'flanges:32', 'notKnown'],
  ],
  'bar and stem': [
    ['bar-clamp:31.8', 'stem-clamp:31.8', 'fits'],
    ['bar-clamp:25.4', 'stem-clamp:31.8;shims=25.4,26', 'with a shim from 25.4 to 31.8 mm'],
    ['bar-clamp:35', 'stem-clamp:31.8', 'doesNotFit'],
    ['bar-clamp:25.4', 'stem-clamp:31.8;shims=none', 'doesNotFit'],
    ['bar-clamp:25.4', 'stem-clamp:31.8', 'notKnown'],
    ['bar-clamp:', 'stem-clamp:31.8', 'notKnown'],
  ],
  'stem and steerer': [
    ['stem-steerer:28.6', 'steerer:28.6', 'fits'],
    ['stem-steerer:28.6;shims=25.4', 'steerer:25.4;material=steel', 'with a shim from 25.4 to 28.6 mm'],
    ['stem-steerer:28.6', 'steerer:31.8', 'doesNotFit'],
    ['stem-steerer:31.8;shims=28.6', 'steerer:28.6;material=carbon', 'notKnown'],
    ['stem-steerer:31.8;shims=28.6', 'steerer:28.6', 'notKnown'],
    ['stem-steerer:31.8', 'steerer:28.6;material=alloy', 'notKnown'],
  ],
  'grip or lever and bar': [
    ['grip-bore:22.2', 'grip-zone:22.2', 'fits'],
    ['grip-bore:23.8-24.2', 'grip-zone:24', 'fits'],
    ['grip-bore:22.2', 'grip-zone:23.8-24.2', 'doesNotFit'],
    ['grip-bore:24', 'grip-zone:23.8-24.2', 'notKnown'],
    ['grip-bore:22.2', 'grip-zone:', 'notKnown'],
  ],
  'post and frame': [
    ['post:27.2', 'seat-tube:27.2', 'fits'],
    ['post:27.2', 'seat-tube:31.6', 'with a shim from 27.2 to 31.6 mm'],
    ['post:31.6', 'seat-tube:27.2', 'doesNotFit'],
    ['post:27.2', 'seat-tube:27.1', 'doesNotFit'],
    ['post:27.2;insertion=100', 'seat-tube:27.2;depth=80', 'doesNotFit'],
    ['post:', 'seat-tube:27.2', 'notKnown'],
  ],
  'saddle and post': [
    ['rails:round 7', 'rail-clamp:round 7', 'fits'],
    ['rails:oval 7x9', 'rail-clamp:round 7', 'doesNotFit'],
    ['rails:oval 7x9', 'rail-clamp:round 7,oval 7x9', 'fits'],
    ['rails:', 'rail-clamp:round 7', 'notKnown'],
  ],
}

const rows = Object.entries(pairs).flatMap(([pair, all]) => all.map((row) => ({ pair, row })))

test.for(rows)('$pair: $row.0 with $row.1 is $row.2', ({ row: [a, b, wanted] }) => {
  const fit = judgeFit(makeFitPart('A', [a], source), makeFitPart('B', [b], source))
  expect(fit.answer === 'fitsWith' ? `with ${fit.with}` : fit.answer, fit.because).toBe(wanted)
})

const wheel = [
  'drilling:32;erd=600',
  'flanges:32;left=58;right=58;leftOffset=35;rightOffset=35;hole=2.6;head=J-bend',
  'lacing:3',
]

const builds: [title: string, parts: string[][], answer: string][] = [
  ['a spoke of the calculated length', [['spoke:291.5;head=J-bend'], wheel], 'fits'],
  ['a spoke that is 0.9 mm shorter', [['spoke:290;head=J-bend'], wheel], 'fits'],
  ['a spoke that is 1.2 mm longer', [['spoke:292.1;head=J-bend'], wheel], 'doesNotFit'],
  [
    'a spoke for one side',
    [
      ['spoke:291.5;head=J-bend'],
      [wheel[0]!, wheel[1]!.replace('rightOffset=35', 'rightOffset=10'), wheel[2]!],
    ],
    'with 289.0 mm spokes on the right',
  ],
  ['a spoke without crosses', [['spoke:291.5;head=J-bend'], wheel.slice(0, 2)], 'notKnown'],
  ['a straight-pull spoke', [['spoke:291.5;head=straight'], wheel], 'notKnown'],
  [
    'a spoke with more crosses than fit',
    [['spoke:291.5;head=J-bend'], [...wheel.slice(0, 2), 'lacing:5']],
    'notKnown',
  ],
  [
    'a derailleur whose capacity two rings exceed',
    [['derailleur:11;cog=28-42;capacity=39'], ['cogs:11;smallest=11;largest=40'], ['rings:46;smallest=30']],
    'doesNotFit',
  ],
  [
    'a derailleur whose capacity two rings use up',
    [['derailleur:11;cog=28-42;capacity=45'], ['cogs:11;smallest=11;largest=40'], ['rings:46;smallest=30']],
    'fits',
  ],
  [
    'a crank whose spindle is too short for the shell',
    [['spindle:24;widths=68'], ['spindle-bore:24;widths=68,73'], ['shell:BSA;width=73']],
    'doesNotFit',
  ],
  [
    'wheels in fork and frame',
    [['axle-ends:15x110', 'axle-ends:12x148'], ['dropouts:15x110'], ['dropouts:12x148']],
    'fits',
  ],
  [
    'a wheel of which one thing does not fit',
    [
      ['cassette-mount:HG', 'rotor:Center Lock'],
      ['freehub:HG', 'rotor-mount:six-bolt'],
    ],
    'doesNotFit',
  ],
  [
    'a wheel of which one thing is missing',
    [
      ['cassette-mount:HG', 'rotor:diameter=180'],
      ['freehub:HG-road11', 'rotor-mount:six-bolt'],
    ],
    'notKnown',
  ],
  [
    'a wheel of which one thing fits with an adapter',
    [
      ['cassette-mount:HG', 'rotor:six-bolt'],
      ['freehub:HG', 'rotor-mount:Center Lock'],
    ],
    'with a Center Lock adapter for six-bolt rotors',
  ],
  [
    'two wheels as one part in a fork',
    [['axle-ends:15x110', 'axle-ends:12x148'], ['dropouts:15x110']],
    'fits',
  ],
]

test.for(builds)('%s: %s', ([, parts, wanted]) => {
  const fit = judgeBuild(parts.map((texts, i) => makeFitPart(`Part ${i}`, texts, source)))
  expect(fit.answer === 'fitsWith' ? `with ${fit.with}` : fit.answer, fit.because).toBe(wanted)
})

test('every kind has a rule, and every rule two kinds of the vocabulary', () => {
  const kinds = interfaceKinds.map(({ id }) => id)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(fitRules.flatMap((rule) => rule.kinds).filter((kind) => !kinds.includes(kind))).toEqual([])
  const met = new Set(fitRules.flatMap((rule) => rule.kinds))
  expect(kinds.filter((kind) => !met.has(kind))).toEqual(['lacing'])
  const needing = ([a, b]: [string, string]) => needingKinds.includes(a) || needingKinds.includes(b)
  expect(fitRules.map((rule) => rule.kinds).filter((those) => !needing(those))).toEqual([])
  expect(findRule('freehub', 'cassette-mount')).toBe(findRule('cassette-mount', 'freehub'))
})
