const texts = [
  {
    name: 'Maren Oltvedt',
    address: 'Harbour Street Cycles, Bergen, Norway',
    reviews:
      'We fit about forty of the Talon rings a season. Bolt holes line up, chains stay on, and the anodising goes shiny on the teeth after a month like every other ring.',
    rating: 5,
  },
  {
    name: 'Tobias Renfrew',
    address: 'Unit 6, Mill Lane, Hexham, England',
    reviews:
      'Bearings came packed with enough grease for once. Three months of winter commuters and none has come back.',
    rating: 5,
  },
  {
    name: 'Priya Chandrasena',
    address: 'Leeward Riders Club, Wellington, New Zealand',
    reviews:
      'Ordered 48 stems for the club build day. Two had a scuffed faceplate, and the replacements arrived within the week.',
    rating: 4,
  },
  {
    name: 'Jonas Weidlich',
    address: 'Radwerk am Kanal, Münster, Germany',
    reviews:
      'The rotors run true out of the box: I checked ten of them on the stand. They save me an hour of straightening every week.',
    rating: 5,
  },
  {
    name: 'Eleni Markou',
    address: '14 Station Road, Volos, Greece',
    reviews:
      'Good tubes at a good price. The minimum of 100 is a lot for a small shop, so I share an order with the shop in the next town.',
    rating: 4,
  },
  {
    name: 'Desmond Achterberg',
    address: 'Achterberg Rijwielen, Zwolle, Netherlands',
    reviews:
      'The hub clicks loudly but engages cleanly, and the freehub body comes off without tools. Customers notice both.',
    rating: 5,
  },
  {
    name: 'Lucía Barrenechea',
    address: 'Taller La Biela, Vitoria, Spain',
    reviews:
      'The pads bite well and are quiet, but wear quickly in our winter mud. For summer bikes I would buy them again without thinking.',
    rating: 3,
  },
  {
    name: 'Callum Strathearn',
    address: 'Glen Wheelers, Aberfeldy, Scotland',
    reviews:
      'Built twelve wheels with the butted spokes. No twisted threads and tension came up evenly all round.',
    rating: 5,
  },
  {
    name: 'Annika Sorsa',
    address: 'Pyöräpaja Kulma, Tampere, Finland',
    reviews:
      'Delivery took nine days instead of the five I was told. The parts themselves are fine: the bottom brackets thread in by hand, as they should.',
    rating: 4,
  },
  {
    name: 'Marcus Okonjo-Hale',
    address: 'Second Spin Workshop, Portland, USA',
    reviews:
      'We put the platform pedals on our loan bikes. They have been dropped, kerbed and left in the rain, and still spin.',
    rating: 5,
  },
  {
    name: 'Sylvie Tremblay-Roux',
    address: 'Atelier du Pignon, Sherbrooke, Canada',
    reviews:
      'The cassette shifts as well as ones at twice the price. The only thing missing from the box is a printed torque chart.',
    rating: 4,
  },
  {
    name: 'Piotr Zawilski',
    address: 'Serwis Szprycha, Gdynia, Poland',
    reviews:
      'The gravel tyres sealed with a floor pump on every rim we tried. Weights are within a few grams of what the page says.',
    rating: 5,
  },
]

export const demoReviews = texts.map((review, i) => ({
  ...review,
  image: `/illustrations/reviewer-${i + 1}.svg`,
}))
