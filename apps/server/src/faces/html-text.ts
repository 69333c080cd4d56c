import { htmlEscape } from '@septet/contract'

/** A command or a message in a block of its own. The site's script puts a button on it that copies it. */
export const codeBlock = (text: string): string =>
  `<div class="code" data-code><pre tabindex="0"><code>${htmlEscape(text)}</code></pre></div>`

/** A table that scrolls sideways where the screen is narrow; its cells are HTML. */
export function tableBlock(label: string, names: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = names.map((name) => `<th scope="col">${htmlEscape(name)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  return `<div class="scrolls" tabindex="0" role="group" aria-label="${htmlEscape(label)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
