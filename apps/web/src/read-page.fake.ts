import { expect } from 'vitest'

/** What the address holds. */
export const parameters = (): Record<string, string> => Object.fromEntries(new URLSearchParams(location.search))

/** What a part of the page says, its pieces apart by one space. */
export function wordsOf(part: Element): string {
  const pieces: string[] = []
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  while (walk.nextNode() !== null) pieces.push(walk.currentNode.textContent ?? '')
  return pieces.join(' ').replaceAll(/\s+/gu, ' ').trim()
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
