/**
 * Puts the focus on what has just opened and not on the first control in it, whose explanation would open at once too.
 */
export function focusContent(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
