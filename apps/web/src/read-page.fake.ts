import { expect } from 'vitest'

/** What the address holds. */
export const parameters = (): Record<string, string> => Object.fromEntries(new URLSearchParams(location.search))

/** What a part of the page says, its pieces apart by one space. */
export const wordsOf = (part: Element): string =>
  textsIn(part)
    .map(({ data }) => data)
    .join(' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()

/** What each paragraph, cell, item and the like of a part says. */
export function linesOf(part: Element): string[] {
  const lines = Map.groupBy(textsIn(part), ({ parentElement }) => parentElement?.closest(BLOCKS) ?? part)
  return [...lines.values()].map((texts) => texts.map(({ data }) => data).join(''))
}

const BLOCKS = 'p, div, li, td, th, dt, dd, h1, h2, h3, h4, button, label, option, summary, legend, output, text'

function textsIn(part: Element): Text[] {
  const texts: Text[] = []
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  while (walk.nextNode() !== null) if (walk.currentNode instanceof Text) texts.push(walk.currentNode)
  return texts
}

/** Waits until a part of the page says that, into however many elements the words are cut. */
export async function shows(words: string | RegExp, part: Element = document.body): Promise<void> {
  await expect.poll(() => part.textContent?.replaceAll(/\s+/gu, ' ')).toMatch(words)
}

/** A name that is cut into elements: the spaces between them are not told. */
export const named = (name: string): { name: (computed: string) => boolean } => ({
  name: (computed) => withoutSpaces(computed) === withoutSpaces(name),
})

const withoutSpaces = (text: string): string => text.replaceAll(/\s/gu, '')
