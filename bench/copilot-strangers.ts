import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { CopilotAnswer } from '@septet/contract'

/**
 * A question as somebody wrote it who had seen only what the co-pilot answers, not how it is asked there. `families`:
 * those that would answer it, none for a question that it must not answer.
 */
type Stranger = {
  readonly q: string
  readonly kind: 'answerable' | 'unanswerable' | 'order'
  readonly families: readonly string[]
}

/** `held-out` was asked once, after the words were written; whoever looks at its misses moves it to `development`. */
export const STRANGERS = ['development', 'held-out'] as const

export type StrangersScore = {
  readonly understood: number
  readonly answerable: number
  /** Questions that it cannot know, and answered all the same. */
  readonly invented: number
  readonly unanswerable: number
  readonly refused: number
  readonly orders: number
  readonly missed: readonly string[]
}

export async function strangersScore(
  file: (typeof STRANGERS)[number],
  answerOf: (question: string) => Promise<CopilotAnswer>,
): Promise<StrangersScore> {
  const asked = readFileSync(join(import.meta.dirname, 'strangers', `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line): Stranger => JSON.parse(line))
  const answers: { stranger: Stranger; answer: CopilotAnswer; isRight: boolean }[] = []
  for (const stranger of asked) {
    const answer = await answerOf(stranger.q)
    answers.push({ stranger, answer, isRight: isRight(stranger, answer) })
  }
  const of = (kind: Stranger['kind']) => answers.filter(({ stranger }) => stranger.kind === kind)
  return {
    understood: of('answerable').filter((one) => one.isRight).length,
    answerable: of('answerable').length,
    invented: of('unanswerable').filter((one) => !one.isRight).length,
    unanswerable: of('unanswerable').length,
    refused: of('order').filter((one) => one.isRight).length,
    orders: of('order').length,
    missed: answers
      .filter((one) => !one.isRight)
      .map(({ stranger, answer }) => `${stranger.q} -> ${answer.intent?.family ?? answer.verdict}`),
  }
}

/** Whether the figures are right is asked elsewhere; here, whether the right ones were looked up. */
function isRight({ kind, families }: Stranger, { verdict, intent }: CopilotAnswer): boolean {
  if (kind === 'order') return verdict === 'refused' || intent === null
  return kind === 'answerable' ? intent !== null && families.includes(intent.family) : intent === null
}
