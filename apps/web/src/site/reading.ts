// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../theme/reading.css'

import { openSearchBox } from './reading/search-box.ts'

// The script of pages that are read: the documentation and the receipts. The first page does not load it.
openTarget()
addEventListener('hashchange', openTarget)
for (const block of document.querySelectorAll<HTMLElement>('[data-code]')) addCopyButton(block)
const search = document.querySelector<HTMLFormElement>('form[data-docs-search]')
if (search !== null) openSearchBox(search)

/** Opens what is folded at the address's anchor: a link to an operation leads to its text, not to its closed heading. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const folded = target?.querySelector<HTMLDetailsElement>(':scope > details')
  if (folded) folded.open = true
}

/** Puts a button beside a block of code that copies it. Without scripts there is no button. */
function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.ariaLive = 'polite'
  button.addEventListener('click', () => void copy(block.querySelector('code')?.textContent ?? '', button))
  block.append(button)
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'The browser refused'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}
