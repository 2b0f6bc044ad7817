import type { SignInProvider } from '#shop/ports.ts'

// In a file of its own, since pages say it that sign nobody in.
export const providerNames: Record<SignInProvider, string> = { google: 'Google', github: 'GitHub' }
