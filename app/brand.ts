/** What a manufacturer changes to make this shop their own. */
export const brand = {
  name: 'Winged Wheels',
  headline: 'Winged Wheels Manufacturer',
  tagline: 'Providing reliable tech since 1992',
  pitch: 'Drivetrains, brakes, wheels and cockpits from one factory, at the quantities a workshop orders.',
  figures: [
    { label: 'Customers', value: '5000+' },
    { label: 'Reviews', value: '490k+' },
    { label: 'Annual revenue', value: '100M+' },
    { label: 'Parts', value: '28' },
  ],
}
