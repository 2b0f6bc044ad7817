/** Everything to change for another brand, with app/layout/logo.tsx and public/favicon.svg. */
export const brand = {
  name: 'Winged Wheels',
  headline: 'Winged Wheels Manufacturer',
  tagline: 'Providing reliable tech since 1992',
  pitch: 'Drivetrains, brakes, wheels and cockpits from one factory, at the quantities a workshop orders.',

  dispatchTime: 'Leaves the factory within 2 working days',

  contact: {
    address: 'Ropewalk Works, 19 Millrace Road, Port Aldery',
    phone: '+1 555 010 1992',
    email: 'hello@wingedwheels.example',
  },

  stats: [
    { label: 'Customers', value: '5000+' },
    { label: 'Reviews', value: '490k+' },
    { label: 'Annual revenue', value: '100M+' },
    { label: 'Parts', value: '28' },
  ],

  team: [
    {
      name: 'Osric Varnhem',
      role: 'Founder and toolmaker',
      description: 'Cut the first chainring by hand and still signs off every new tooth profile.',
      picture: '/illustrations/team-1.svg',
    },
    {
      name: 'Abena Asterby',
      role: 'Head of production',
      description: 'Keeps forty machines in step and the scrap bin close to empty.',
      picture: '/illustrations/team-2.svg',
    },
    {
      name: 'Rafi Ellerwick',
      role: 'Workshop orders',
      description: 'Knows what fits what, and answers before the second ring.',
      picture: '/illustrations/team-3.svg',
    },
    {
      name: 'Mirela Stonecroft',
      role: 'Quality and testing',
      description: 'Breaks parts on purpose, so that nobody has to on the road.',
      picture: '/illustrations/team-4.svg',
    },
  ],

  brands: ['Aldermoor', 'Longbarrow', 'Stillbrook', 'Fernholt', 'Ostrand', 'Kettlewick'],

  developer: {
    name: 'Teodora Quillfeld',
    role: 'Full-stack developer',
    description:
      'I build shops and tools for people who make things: fast pages, exact numbers, few moving parts.',
    picture: '/illustrations/developer.svg',
    address: 'Port Aldery',
    phone: '+1 555 010 2048',
    email: 'teodora@wingedwheels.example',
    skills: ['TypeScript', 'React', 'Node', 'PostgreSQL', 'Accessibility', 'Testing'],
    projects: [
      {
        name: 'Gear Chart',
        description:
          'A calculator for workshops: choose chainrings, a cassette and a tyre, and see every gear as metres per turn of the cranks, with the doubled ones marked. It works offline on a phone with greasy fingers, and each set-up is an address to send to a customer.',
        made: 'TypeScript, SVG, a service worker',
      },
      {
        name: 'Spoke Ledger',
        description:
          'Stock keeping for wheel builders who count spokes by the box and use them by the piece. Every movement is a line that is never edited, so the shelf and the book can be compared at any moment and a mistake is corrected in the open.',
        made: 'React, Hono, PostgreSQL',
      },
      {
        name: 'Ride Out',
        description:
          'A calendar for cycling clubs: routes, paces and who is coming, readable without an account and printable for the clubhouse door. Built to be used with a keyboard alone and checked with a screen reader before each release.',
        made: 'React Router, Tailwind CSS, Playwright',
      },
    ],
  },
}
