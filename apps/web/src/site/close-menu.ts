/**
 * The header's menu is a `details` element and works without this. With it, the menu closes when a link of it was
 * followed on the same page, on Escape, and when somebody presses elsewhere.
 */
export function closeMenuWhenDone(menu: HTMLDetailsElement): void {
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  })
}
