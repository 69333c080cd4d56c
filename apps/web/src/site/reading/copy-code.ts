/** Puts a button beside a block of code that copies it. Without scripts there is no button. */
export function addCopyButton(block: HTMLElement): void {
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
