import { plural } from '../../words.ts'
import type { AskedJob } from './asked-job.ts'
import type { StartAnswer } from './start-answer.ts'

type Told = Pick<StartAnswer, 'verdict' | 'starting' | 'pods' | 'unknown'> & {
  /** Those that may be named. */
  readonly nodes: readonly string[]
}

/** The answer in one sentence. */
export function startSentence(
  { kind, name, gang }: AskedJob,
  { verdict, starting, pods, unknown, nodes }: Told,
): string {
  const what = `${kind} ${name}`
  if (verdict === 'now') return `${what} starts now: ${plural(pods, 'pod')}${whereWords(nodes)}.`
  if (verdict === 'unknown') return `Whether ${what} starts now is unknown: ${unknown[0] ?? 'it is not read'}.`
  if (starting > 0)
    return `${starting} of ${plural(pods, 'pod')} of ${what} ${starting === 1 ? 'starts' : 'start'} now; the others wait.`
  return gang && pods > 1
    ? `${what} does not start now: its ${pods} pods have to start together.`
    : `${what} does not start now.`
}

/** The answer, and what to know about it. */
export const joined = (sentence: string, more: string | undefined): string =>
  more === undefined ? sentence : `${sentence} ${more}`

function whereWords(nodes: readonly string[]): string {
  if (nodes.length === 0) return ''
  return nodes.length === 1 ? ` on a node such as ${nodes.join()}` : ` on ${plural(nodes.length, 'node')}`
}
