/** Public: they are in the README and on the demo's login page. */
export const demoCustomer = {
  name: 'Demo Customer',
  email: 'customer@wingedwheels.example',
  password: 'demo-customer-1992',
}

export const demoAdmin = {
  name: 'Demo Admin',
  email: 'admin@wingedwheels.example',
  password: 'demo-admin-1992',
}
