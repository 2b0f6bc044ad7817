/** Drawn by `npm run studio -- --drawing`. */
export const demoDrawing = {
  title: 'Drivetrain',
  file: 'db/seed/drawings/drivetrain.webp',
  /** Places in thousandths of the picture, from its upper left. */
  hotspots: [
    { photo: 'bottom-bracket', x: 60, y: 600, quantity: 1 },
    { photo: 'crankset', x: 345, y: 535, quantity: 1 },
    { photo: 'chain', x: 745, y: 150, quantity: 1 },
    { photo: 'rear-derailleur', x: 722, y: 590, quantity: 1 },
    { photo: 'cassette', x: 345, y: 150, quantity: 1 },
    { photo: 'rear-hub', x: 75, y: 150, quantity: 1 },
  ],
}
