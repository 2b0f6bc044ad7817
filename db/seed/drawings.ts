/** Drawn by `npm run studio -- --drawing`. */
export const demoDrawing = {
  title: 'Drivetrain',
  file: 'db/seed/drawings/drivetrain.webp',
  /** Places in thousandths of the picture, from its upper left. */
  hotspots: [
    { partNumber: 'WW-BB24', x: 60, y: 600, quantity: 1 },
    { partNumber: 'WW-CK34', x: 345, y: 535, quantity: 1 },
    { partNumber: 'WW-CN12', x: 745, y: 150, quantity: 1 },
    { partNumber: 'WW-RD12', x: 722, y: 590, quantity: 1 },
    { partNumber: 'WW-CS12', x: 345, y: 150, quantity: 1 },
    { partNumber: 'WW-HR148', x: 75, y: 150, quantity: 1 },
  ],
}
