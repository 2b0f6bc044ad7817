import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // The routes are few: one file that browsers keep is less than a request for the links of every page.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
