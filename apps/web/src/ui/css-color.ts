/**
 * A color of the theme as a canvas understands it, `--busy` for instance. A custom property's text still holds
 * light-dark(), which only the computed value of a real property resolves.
 */
export function cssColor(property: `--${string}`): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
