import './jitless-zod.ts'
import archivo from '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2?url'
import { type ReactNode, useEffect, useRef } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from 'react-router'
import { hasSignedInCookie } from '#app/auth/session.ts'
import { Contained } from '#app/layout/contained.tsx'
import { Footer } from '#app/layout/footer.tsx'
import { Navbar } from '#app/layout/navbar.tsx'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { Toasts } from '#app/ui/toasts.tsx'
import { readPricing } from '#shop/charges/pricing.server.ts'
import { currencyCode } from '#shop/money.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import { describeShippingPromise } from '#shop/settings/ship-by.server.ts'
import type { Route } from './+types/root'
import styles from './app.css?url'
import { brand } from './brand.ts'
import { shopContext } from './context.ts'
import { readTheme } from './theme.ts'
import { useVitals } from './vitals.ts'

export const meta: Route.MetaFunction = () => [{ title: brand.name }]

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  {
    rel: 'preload',
    href: archivo,
    as: 'font',
    type: 'font/woff2',
    crossOrigin: 'anonymous',
    // The fallback font is shown until this one has loaded.
    fetchPriority: 'low',
  },
]

export async function loader({ request, context }: Route.LoaderArgs) {
  const { shop, identity } = context.get(shopContext)
  const { origin, payments } = shop
  const cookies = request.headers.get('cookie')
  const { company } = await readSettings(shop)
  const isSignedIn = hasSignedInCookie(cookies)
  return {
    origin,
    identity,
    payments: payments.settings,
    timeZone: shop.timeZone,
    currency: currencyCode() === 'USD' ? undefined : currencyCode(),
    company,
    pricing: await readPricing(shop),
    dispatch: describeShippingPromise(shop),
    theme: readTheme(cookies),
    isSignedIn,
  }
}

/** Those of the settings are read when a page is loaded, and a theme change is applied to the document directly. */
export function shouldRevalidate() {
  return false
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root')
  return (
    <html lang="en" data-theme={root?.theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Safari would make links of order and part numbers, inside React's elements. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <Meta />
        {/* Read by app/auth/auth.ts. */}
        {root && <meta name="identity-provider" content={JSON.stringify(root.identity)} />}
        {/* Read by app/payment/load-provider.ts. */}
        {root && <meta name="payment-provider" content={JSON.stringify(root.payments)} />}
        {/* Read by app/admin/time-zone.ts. */}
        {root && <meta name="time-zone" content={root.timeZone} />}
        {/* Read by app/entry.client.tsx. */}
        {root?.currency && <meta name="currency" content={root.currency} />}
        {/* `precedence` makes React emit it before the scripts. */}
        <link rel="stylesheet" href={styles} precedence="default" />
        <Links />
      </head>
      <body className="flex min-h-dvh flex-col bg-base-100 text-base-content">
        <a href="#content" className="btn btn-primary sr-only focus:not-sr-only">
          Skip to content
        </a>
        <Contained>
          <Navbar signedInCookie={root?.isSignedIn ?? false} />
        </Contained>
        <main id="content" tabIndex={-1} className="columns flex-1 pb-16 outline-none">
          {children}
        </main>
        <Contained>
          <Footer />
          <Toasts />
        </Contained>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  useFocusOnNavigation()
  useVitals()
  return (
    <>
      <Progress />
      <Outlet />
    </>
  )
}

/** Moves focus to the content after navigation, or to what in it has `data-focus`, for keyboard and screen reader users. */
function useFocusOnNavigation() {
  const { pathname, search, hash, key } = useLocation()
  const params = new URLSearchParams(search)
  const page = [pathname, params.get('page'), params.has('item')].join(' ')
  const previous = useRef(page)
  useEffect(() => {
    const typing = document.activeElement?.matches('input, select, textarea')
    if (page !== previous.current && !hash && !typing) findContent()?.focus({ preventScroll: true })
    previous.current = page
  }, [page, hash])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for another click on the same link
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.focus({ preventScroll: true })
  }, [hash, key])
}

function findContent() {
  return document.querySelector<HTMLElement>('[data-focus]') ?? document.getElementById('content')
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorMessage error={error} />
}
