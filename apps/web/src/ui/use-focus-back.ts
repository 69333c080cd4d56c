import { useState } from 'react'

/**
 * Gives focus back, when something closes that no trigger of its own opened, to what had it before. For `onCloseAutoFocus`
 * of a dialog.
 */
export function useFocusBack(): (event: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
}
