import type { QueryAnswer } from '@septet/contract'
import { instant } from '@septet/domain'

import type { QuestionContext } from './engine.ts'
import { answerFixedOr, fixedOf } from './fixed/answer-fixed.ts'
import { completionsOf } from './query/complete.ts'
import { namesOf } from './query/names.ts'
import { understand } from './query/query.ts'
import { readLine } from './query/read-line.ts'

type Asked = { readonly line: string; readonly cluster: string | undefined; readonly zone: string }

/** A line piece by piece, how it may go on, and, where all of it is understood, its answer. */
export async function queryLine(asked: Asked, context: QuestionContext): Promise<QueryAnswer> {
  const { line, cluster, zone } = asked
  const question = fixedOf(line)
  const names = namesOf(context.ask, cluster)
  const read = await readLine(line, names, { now: instant(context.now), zone })
  const understood = understand(read)
  const { pieces, query, assumed } = understood
  const isWhole = question !== undefined || query !== undefined
  return {
    line,
    pieces:
      question !== undefined
        ? [{ from: 0, to: line.length, kind: 'question', says: line.trim(), problem: null, choices: [] }]
        : pieces.map(({ from, to, meaning, says, problem = null, choices }) => ({
            from,
            to,
            kind: KINDS[meaning.kind],
            says,
            problem,
            choices: choices.map((choice) =>
              `${line.slice(0, from)}${choice}${line.slice(to)}`.replaceAll(/\s+/gu, ' ').trim(),
            ),
          })),
    assumed: question === undefined ? [...assumed] : [],
    completions: [...(await completionsOf(line, read, names))],
    answer: isWhole
      ? await answerFixedOr(
          { read: Promise.resolve(understood) },
          { question: line, cluster, zone, after: undefined },
          context,
        )
      : null,
  }
}

const KINDS = {
  figure: 'figure',
  count: 'figure',
  subject: 'subject',
  where: 'condition',
  limit: 'condition',
  time: 'time',
  now: 'time',
  compare: 'compare',
  top: 'order',
  why: 'question',
  unknown: 'unknown',
} as const
