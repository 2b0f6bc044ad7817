/**
 * Everything to change for another brand, with app/layout/logo.tsx and public/favicon.svg. Of the contact, dispatch, orders and invoices,
 * these are only what a new shop begins with: admins set them in the dashboard (server/settings.ts).
 */
export const brand = {
  name: 'Winged Wheels',
  headline: 'Winged Wheels Manufacturer',
  tagline: 'Providing reliable tech since 1992',
  pitch: 'Drivetrains, brakes, wheels and cockpits, made in one factory and sold in workshop quantities.',

  /** Days from Monday, 1, to Sunday, 7; the hour is of the shop's time zone. */
  dispatch: { workingDays: 2, cutOffHour: 14, weekend: [6, 7], holidays: [] as string[] },
  /** Of the numbers that parts get when admins enter none. */
  partNumberPrefix: 'WW-',

  orders: {
    /** Printed before each order number, such as `WW-`. */
    prefix: '',
    /** Of the first order. The others follow without gaps. A number above the last order's takes effect at the next start. */
    firstNumber: 1001,
  },

  invoices: {
    prefix: 'INV-',
    creditNotePrefix: 'CN-',
    /** Of the first invoice and the first credit note. The others follow without gaps. */
    firstNumber: 1001,
    /** Such as `VAT ID: XX123456789`; null prints none. */
    taxId: null as string | null,
  },

  contact: {
    address: 'Ropewalk Works, 19 Millrace Road, Port Aldery',
    /** Its two letters of ISO 3166-1. Orders whose address names no country go there. */
    country: 'US',
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
      description: 'Runs 40 machines and keeps waste close to zero.',
      picture: '/illustrations/team-2.svg',
    },
    {
      name: 'Rafi Ellerwick',
      role: 'Workshop orders',
      description: 'Knows which parts fit your bikes, and answers the phone.',
      picture: '/illustrations/team-3.svg',
    },
    {
      name: 'Mirela Stonecroft',
      role: 'Quality and testing',
      description: 'Tests every design until it breaks, so it doesn’t break on the road.',
      picture: '/illustrations/team-4.svg',
    },
  ],

  brands: ['Aldermoor', 'Longbarrow', 'Stillbrook', 'Fernholt', 'Ostrand', 'Kettlewick'],

  developer: {
    name: 'Teodora Quillfeld',
    role: 'Full-stack developer',
    description: 'I build online shops and tools that are fast, accurate and easy to maintain.',
    picture: '/illustrations/developer.svg',
    address: 'Port Aldery',
    phone: '+1 555 010 2048',
    email: 'teodora@wingedwheels.example',
    skills: ['TypeScript', 'React', 'Node', 'PostgreSQL', 'Accessibility', 'Testing'],
    projects: [
      {
        name: 'Gear Chart',
        description:
          'A gear calculator for workshops. Choose chainrings, a cassette and a tyre to compare every gear by metres per crank turn, with duplicate gears marked. It works offline on a phone, and each setup has a link to send to a customer.',
        made: 'TypeScript, SVG and a service worker',
      },
      {
        name: 'Spoke Ledger',
        description:
          'Inventory for wheel builders who buy spokes by the box and use them one at a time. Corrections are added as new records, so you can see every change and compare the count with what’s on the shelf.',
        made: 'React, Hono, PostgreSQL',
      },
      {
        name: 'Ride Out',
        description:
          'A ride calendar for cycling clubs with routes, pace groups and sign-ups. Anyone can read it without an account, and it prints on one page. It works with a keyboard alone and is tested with a screen reader before each release.',
        made: 'React Router, Tailwind CSS, Playwright',
      },
    ],
  },
}
