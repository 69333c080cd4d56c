import { limits } from '../../cluster/quota-limits.ts'
import type { Quota } from '../../cluster/scheduling.ts'
import type { Action } from '../words/action.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { podsOf } from './displaced-by.ts'
import { firstReason, type StepRule } from './guardrail.ts'

/** A change of requests or of the number of pods stays inside the quotas of its namespace and its queue. */
export const whyOverQuota: StepRule = ({ action, state }) =>
  firstReason(quotaUse(action, state), ({ quota, by }) => {
    const free = Math.max(0, quota.hard - quota.used)
    return by > 0 && quota.used + by > quota.hard
      ? `${quota.id} has ${free} of ${quota.hard} ${quota.resource} left, ${by} more are needed. Raise the quota, or ask for less.`
      : undefined
  })

/** By how much an action changes what is used of each quota that it touches. */
export function quotaUse(action: Action, state: Fleet): ReadonlyArray<{ quota: Quota; by: number }> {
  if (!('workload' in action) || action.kind === 'evict') return []
  const workload = state.workloads.get(action.workload)
  if (workload === undefined) return []
  return [...state.quotas.values()]
    .filter((quota) => limits(quota, workload))
    .map((quota) => ({ quota, by: change(action, state, quota.resource) }))
    .filter(({ by }) => by !== 0)
}

type WorkloadAction = Extract<Action, { readonly kind: 'resize' | 'scale' | 'reschedule' }>

function change(action: WorkloadAction, state: Fleet, resource: string): number {
  const pods = podsOf(state, action.workload)
  if (action.kind === 'scale') return (action.to - action.from) * asked(pods[0]?.requests ?? [], resource)
  const [from, to] = action.kind === 'resize' ? [action.from, action.to] : [action.from.requests, action.to.requests]
  return pods.length * (asked(to, resource) - asked(from, resource))
}

const asked = (
  requests: ReadonlyArray<{ readonly resource: string; readonly count: number }>,
  resource: string,
): number => requests.reduce((sum, request) => sum + (request.resource === resource ? request.count : 0), 0)
