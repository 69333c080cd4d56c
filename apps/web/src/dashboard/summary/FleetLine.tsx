import { textOf } from '@septet/contract/says'
import type { UseQueryResult } from '@tanstack/react-query'

import type { Answer } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { minuteTime } from '../../ui/time-words.ts'
import { To } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { isStale } from '../client/freshness.ts'
import { useAnswer } from '../client/use-answer.ts'
import { savingWords } from '../recommendation/recommendation-words.ts'
import { hasNoGpus } from './NoGpus.tsx'

/** Recommendations that the summary shows: its line is about the first of them, so both ask once. */
export const TIPS = 3

type Summary = Answer<'summaryGet'>
type Props = {
  readonly summary: Pick<UseQueryResult<Summary>, 'data' | 'error'>
  readonly now: number
}

/** How the fleet is doing and what to do first, in one line, from the figures below it. */
export function FleetLine({ summary: { data, error }, now }: Props) {
  if (data === undefined ? error !== null : hasNoGpus(data)) return undefined
  return (
    <div className="mb-5 flex min-h-6 flex-wrap items-baseline gap-x-3 gap-y-1 text-16">
      {data === undefined ? <Bone className="h-5 w-120 max-w-full" /> : <Standing summary={data} now={now} />}
    </div>
  )
}

function Standing({ summary, now }: { readonly summary: Summary; readonly now: number }) {
  const wasted = textOf(summary.says, /^cost\.hours$/u)
  const waiting = textOf(summary.says, /^workloads\.queued$/u)
  return (
    <>
      <p className="figure font-medium text-balance">
        {isStale(summary, now) && summary.asOf !== null && `As of ${minuteTime(summary.asOf)}: `}
        <To path="/fleet">{textOf(summary.says, /^capacity\.gpus$/u)}</To>{' '}
        {wasted !== '' && (
          <>
            <To path="/cost">{wasted}</To>{' '}
          </>
        )}
        {waiting !== '' && (
          <To path="/workloads" more={{ view: 'waiting' }}>
            {waiting}
          </To>
        )}
      </p>
      <First />
    </>
  )
}

/** The recommendation that the Actions screen has first. */
function First() {
  const { cluster } = useUrlState()
  const { data } = useAnswer('recommendationsList', { cluster, limit: TIPS })
  const first = data?.recommendations[0]
  if (first === undefined) return undefined
  return (
    <To path="/actions" more={{ recommendation: first.id }} look="accent" className="text-14">
      Start here: {first.title}
      <span className="font-mono text-13 whitespace-nowrap">
        {' '}
        {savingWords(first.saving).alone} <span aria-hidden>→</span>
      </span>
    </To>
  )
}
