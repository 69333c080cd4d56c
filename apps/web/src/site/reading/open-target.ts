/** Opens what is folded at the address's anchor: a link to an operation leads to its text, not to its closed heading. */
export function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const folded = target?.querySelector<HTMLDetailsElement>(':scope > details')
  if (folded) folded.open = true
}
