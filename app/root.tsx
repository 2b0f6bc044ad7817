import type { ReactNode } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { ToastContainer } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import type { Route } from './+types/root'
import './app.css'
import { brand } from './brand.ts'
import { Failure } from './ui/failure.tsx'
import { Footer } from './ui/footer.tsx'
import { Navbar } from './ui/navbar.tsx'

export const meta: Route.MetaFunction = () => [{ title: brand.name }]

export const links: Route.LinksFunction = () => [{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body className="flex min-h-dvh flex-col bg-base-100 text-base-content">
        <a href="#content" className="btn btn-primary sr-only focus:not-sr-only">
          Skip to content
        </a>
        <Navbar />
        <main id="content" className="mx-auto w-full max-w-6xl flex-1 px-4 py-8">
          {children}
        </main>
        <Footer />
        {/* Below the menu, which a toast would cover right when it is wanted. */}
        <ToastContainer
          style={{ top: 'var(--below-menu)' }}
          autoClose={5000}
          position="top-right"
          theme="light"
        />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Failure
      error={isRouteErrorResponse(error) ? new Error(error.data?.message ?? error.statusText) : error}
    />
  )
}
