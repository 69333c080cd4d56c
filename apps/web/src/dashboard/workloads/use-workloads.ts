import { WORKLOAD_SORTS } from '@septet/contract/routes'
import type { UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import type { Answer } from '../../api.ts'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { workloadQuestion, type WorkloadChoice } from './use-workload-choice.ts'

export type Workloads = Answer<'workloadsList'>
export type Workload = Workloads['workloads'][number]
/** What the card of one says. */
export type WorkloadAnswer = Answer<'workloadsGet'>

/** Rows that come at first, and with each further press; the server's most. */
const STEP = 300
const MOST = 2000

/**
 * The workloads that the address asks for. The server filters and sorts, so that the first rows are the right ones of
 * thousands; `more` asks for further ones, and is undefined when there are none or no more are told.
 */
export function useWorkloads(choice: WorkloadChoice): {
  readonly answer: UseQueryResult<Workloads>
  readonly more: (() => void) | undefined
} {
  const { cluster, range } = useUrlState()
  const [sort] = useUrlChoice('sort')
  const [rows, setRows] = useUrlChoice('rows')
  const limit = Math.min(MOST, Math.max(STEP, Number(rows) || STEP))
  const search = useDeferredValue(choice.search)
  const answer = useAnswer('workloadsList', {
    cluster,
    range,
    ...workloadQuestion({ ...choice, search }),
    ...sorting(sort, choice),
    limit,
  })
  const left = (answer.data?.total ?? 0) > limit && limit < MOST
  return { answer, more: left ? () => setRows(String(limit + STEP), { replace: true }) : undefined }
}

function sorting(
  text: string | undefined,
  { view }: WorkloadChoice,
): { readonly sort: string; readonly order: string } {
  const asked = WORKLOAD_SORTS.find((known) => known === text?.replace(/^-/u, ''))
  if (asked !== undefined) return { sort: asked, order: text?.startsWith('-') === true ? 'down' : 'up' }
  return { sort: defaultSort(view), order: 'down' }
}

/** What the list begins with: the most money wasted, or the longest wait. */
export const defaultSort = (view: WorkloadChoice['view']): 'duration' | 'idleCost' =>
  view === 'waiting' ? 'duration' : 'idleCost'
