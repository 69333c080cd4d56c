import { useEffect, useState } from 'react'

/**
 * Gives focus back, when what calls this closes, to what had it before: for dialogs that no trigger of their own opened.
 * Focus that has gone elsewhere by then stays there.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
      })
    },
    [before],
  )
}
