import { useEffect } from 'react'
import { changeTheme, showTheme } from '#app/theme.ts'

export function ThemeSwitch() {
  useEffect(() => {
    showTheme()
    addEventListener('pageshow', showTheme)
    addEventListener('visibilitychange', showTheme)
    return () => {
      removeEventListener('pageshow', showTheme)
      removeEventListener('visibilitychange', showTheme)
    }
  }, [])

  return (
    <button
      type="button"
      className="scripted header-icon btn -me-1.5 btn-square btn-ghost btn-sm"
      aria-label="Switch between light and dark mode"
      title="Switch between light and dark mode"
      onClick={changeTheme}
    >
      <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
        <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
        <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
      </svg>
    </button>
  )
}
