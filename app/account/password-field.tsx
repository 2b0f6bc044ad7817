import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { Field } from '#app/ui/field.tsx'

/** What the fields of one form share: `type` is theirs, and the button goes beside the first. */
export function useShownPassword() {
  const [shown, setShown] = useState(false)
  return {
    type: shown ? 'text' : 'password',
    button: <ShowPassword shown={shown} onToggle={() => setShown(!shown)} />,
  }
}

interface ShowProps {
  shown: boolean
  onToggle: () => void
}

function ShowPassword({ shown, onToggle }: ShowProps) {
  const button = useRef<HTMLButtonElement>(null)
  const caret = useRef<[start: number | null, end: number | null]>(null)

  function toggle() {
    const { selectionStart, selectionEnd } = findInput(button.current)
    caret.current = [selectionStart, selectionEnd]
    onToggle()
  }

  // Browsers move the caret of an input whose type changes.
  useLayoutEffect(() => {
    if (!caret.current || findInput(button.current).type !== (shown ? 'text' : 'password')) return
    findInput(button.current).setSelectionRange(...caret.current)
    caret.current = null
  }, [shown])

  return (
    <button ref={button} type="button" className="btn" aria-pressed={shown} onClick={toggle}>
      {/* The whole name stays the same, as that of a button that is pressed has to. */}
      Show<span className="sr-only"> password</span>
    </button>
  )
}

function findInput(button: HTMLButtonElement | null) {
  return button!.parentElement!.querySelector('input')!
}

type PasswordFieldProps = ComponentProps<typeof Field> & { type: string }

/** Nothing of a password that is shown may be corrected, checked for spelling or remembered as an ordinary text. */
export function PasswordField(props: PasswordFieldProps) {
  return <Field autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
}
