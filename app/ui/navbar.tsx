import { Link, NavLink, useNavigate } from 'react-router'
import { brand } from '#app/brand.ts'
import { leave } from '#app/identity.ts'
import { useSignedIn } from '#app/session.ts'

export function Navbar() {
  const signedIn = useSignedIn()
  const navigate = useNavigate()

  async function logOut() {
    await leave()
    await navigate('/')
  }

  return (
    <header className="border-b border-base-300">
      <nav
        aria-label="Main"
        className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-1 gap-y-1 px-4 py-2"
      >
        <Link to="/" className="mr-auto flex items-center gap-2 py-2 text-lg font-semibold tracking-tight">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          {brand.name}
        </Link>
        <div className="flex flex-wrap items-center">
          <Item to="/">Home</Item>
          <Item to="/parts">Parts</Item>
          {signedIn && <Item to="/dashboard">Dashboard</Item>}
          {signedIn ? (
            <button type="button" className="btn btn-ghost btn-sm font-normal" onClick={logOut}>
              Log Out
            </button>
          ) : (
            <Item to="/login">Login</Item>
          )}
        </div>
      </nav>
    </header>
  )
}

function Item({ to, children }: { to: string; children: string }) {
  return (
    <NavLink
      to={to}
      end={to === '/'}
      className={({ isActive }) => `btn btn-ghost btn-sm ${isActive ? 'text-primary' : 'font-normal'}`}
    >
      {children}
    </NavLink>
  )
}
