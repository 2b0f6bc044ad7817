import { useEffect } from 'react'
import { NavLink } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount } from '#shop/money.ts'
import { syncBasket, useBasket } from './store.ts'

export function BasketLink() {
  const session = useSession()
  const email = session?.email
  const isKnown = session !== undefined
  const count = useBasket()?.length ?? 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each account
  useEffect(() => {
    // The basket page says when it cannot be read.
    if (isKnown) syncBasket().catch(() => {})
  }, [isKnown, email])

  return (
    <NavLink
      to="/basket"
      className="header-icon btn relative btn-square btn-ghost btn-sm"
      aria-label={`Basket, ${formatCount(count)} ${count === 1 ? 'item' : 'items'}`}
      title="Basket"
    >
      <Icon name="basket" />
      {count > 0 && (
        <span className="absolute top-0.5 right-1 min-w-4 sm:-top-1 sm:-right-1 rounded-full bg-primary px-1 text-center text-xs leading-4 font-semibold text-primary-content">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </NavLink>
  )
}
