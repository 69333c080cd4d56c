import type { CopilotAnswer } from '@septet/contract'

import type { Asked } from './copilot-questions.ts'

/**
 * Whether an answer in a model's own words says what it must: every number and name of it, and what is counted.
 * Rules are held to the words as well; of a model that would measure its style.
 */
export function saysTheFacts({ verdict, says = [], row = ['', ''] }: Asked, answer: CopilotAnswer): boolean {
  if (answer.verdict !== verdict) return false
  // Where rules stood in, a table may say it.
  const text = plain(JSON.stringify([answer.sentences.map((one) => one.text), answer.blocks]))
  return [...says, ...row].every((part) => isSaid(plain(part), text))
}

const NUMBER = /(?<![\w./-])\d+(?:\.\d+)?(?![\w/-])/gu
const NAME = /[\p{L}\d]+(?:[./-][\p{L}\d]+)+/gu

function isSaid(part: string, text: string): boolean {
  const numbers = [...part.matchAll(NUMBER)].map(([digits]) => Number(digits))
  const names = [...part.matchAll(NAME)].map(([name]) => name).filter((name) => /\p{L}/u.test(name))
  const said = new Set([...text.matchAll(NUMBER)].map(([digits]) => Number(digits)))
  const nouns = COUNTED.filter((noun) => numbers.length > 0 && noun.test(part))
  if (numbers.length + names.length > 0)
    return (
      numbers.every((one) => said.has(one)) &&
      names.every((one) => text.includes(one)) &&
      nouns.every((noun) => noun.test(text))
    )
  return (part.match(/\p{L}{3,}/gu) ?? []).every((word) => text.includes(word))
}

/** What numbers are of, with the other words for it. */
const COUNTED = [/\bgpus?\b/u, /\bnodes?\b/u, /\b(?:workload|job|pod)s?\b/u, /\b(?:partition|instance|slice)s?\b/u]

const SPELLED = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** In small letters, with digits for spelled numbers and "no", and without the commas of thousands. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/gu, '')
    .replaceAll(
      /(?<![\p{L}\d./-])(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\p{L}\d/-])/gu,
      (word) => String(SPELLED.indexOf(word)),
    )
