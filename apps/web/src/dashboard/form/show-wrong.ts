import type { SyntheticEvent } from 'react'

/** Takes whoever sends a form to the first field that is wrong, also into a group that is folded. */
export function showWrong({ currentTarget, target }: SyntheticEvent): void {
  const first = currentTarget.querySelector(':invalid:not(fieldset)')
  if (!(first instanceof HTMLElement) || first !== target) return
  const group = first.closest('details')
  if (group !== null) group.open = true
  // In the middle, where the bar at the top of the page does not cover it.
  first.scrollIntoView({ block: 'center' })
  first.focus({ preventScroll: true })
}
