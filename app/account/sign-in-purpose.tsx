import { useLocation } from 'react-router'
import { returnPath } from '#app/auth/guards.ts'
import { describePurpose } from '#app/auth/sign-in-purpose.ts'
import { useBasket } from '#app/basket/store.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'

/** Why the page asks for a sign-in, when another page led here. */
export function SignInPurpose({ verb }: { verb: 'Log in' | 'Register' }) {
  const { search } = useLocation()
  const items = useBasket()
  const purpose = useHydrated() ? describePurpose(returnPath(search), items?.length ?? 0) : null
  return purpose && <p className="-mt-4 mb-6 text-lg text-base-content/80">{`${verb} to ${purpose}`}</p>
}
