import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { PersonPicture } from '#app/account/person-picture.tsx'
import { logOut } from '#app/auth/log-out.ts'
import { useSession } from '#app/auth/session.ts'
import { BasketLink } from '#app/basket/basket-link.tsx'
import { brand } from '#app/brand.ts'
import { HeaderSearch } from './header-search.tsx'
import { Logo } from './logo.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const linkClass = 'border-b-2 py-1.5 hover:border-base-content/40'

/** `signedInCookie` decides until the session has been read. */
export function Navbar({ signedInCookie }: { signedInCookie: boolean }) {
  const session = useSession()
  const { pathname } = useLocation()
  const isSignedIn = session === undefined ? signedInCookie : session !== null
  const navigate = useNavigate()

  async function leave() {
    await logOut()
    await navigate('/')
  }

  return (
    <header className="columns border-b border-base-300">
      <nav
        aria-label="Main"
        className="flex flex-wrap items-center gap-x-2 py-2 max-[23rem]:gap-x-0 sm:gap-x-4 lg:gap-x-6 lg:py-3"
      >
        <Link
          to="/"
          className="mr-auto flex items-center gap-2 py-1.5 text-[0.9375rem] font-[680] font-stretch-[116%] max-[23rem]:gap-1 max-[23rem]:text-xs sm:gap-2.5 sm:text-lg"
        >
          <Logo className="h-6 max-[23rem]:h-5 sm:h-7" />
          {brand.name}
        </Link>
        <ul className="flex flex-wrap gap-x-4 pb-1 text-[0.9375rem] max-lg:order-last max-lg:basis-full sm:gap-x-6 lg:pb-0">
          <Item to={pathname === '/home' ? '/home' : '/'}>Home</Item>
          <Item to="/parts">Parts</Item>
          {isSignedIn && <Item to="/dashboard">Dashboard</Item>}
          <Item to="/blogs">Blogs</Item>
          <Item to="/portfolio">Portfolio</Item>
        </ul>
        <div className="flex items-center gap-1 text-[0.9375rem] max-[23rem]:gap-0 sm:gap-2 lg:gap-4">
          <HeaderSearch />
          <BasketLink />
          {isSignedIn ? (
            <>
              <span className="max-sm:hidden">
                <PersonPicture src={session?.photoURL ?? null} size={28} />
              </span>
              <button
                type="button"
                className={`cursor-pointer border-transparent ${linkClass}`}
                onClick={leave}
              >
                Log Out
              </button>
            </>
          ) : (
            <NavItem to="/login">Login</NavItem>
          )}
          <ThemeSwitch />
        </div>
      </nav>
    </header>
  )
}

function Item(props: ItemProps) {
  return (
    <li>
      <NavItem {...props} />
    </li>
  )
}

interface ItemProps {
  to: string
  children: string
}

function NavItem({ to, children }: ItemProps) {
  return (
    <NavLink
      to={to}
      end={to === '/'}
      className={({ isActive }) => `block ${linkClass} ${isActive ? 'border-primary' : 'border-transparent'}`}
    >
      {children}
    </NavLink>
  )
}
