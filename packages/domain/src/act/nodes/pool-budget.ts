import { plural } from '../../words.ts'
import type { Instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { listAt, liveNumberAt, textAt, textsAt, valueAt } from '../live-object.ts'

/** When a cron schedule in UTC came due last, now included; undefined where it cannot be read. */
export type LastDue = (schedule: string, now: Instant) => Instant | undefined

export const POOL_LABEL = 'karpenter.sh/nodepool'

/** Karpenter's own for a pool that sets none. */
const DEFAULT_BUDGETS = [{ nodes: '10%' }]

/**
 * Why a NodePool lets none of its nodes go now, in one sentence; undefined while it does. Its budgets bind Karpenter when it
 * disrupts of its own accord; Septet keeps to them although the API server would not make it.
 * https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
 *
 * @param claims All NodeClaims of the cluster.
 */
export function whyPoolKeeps(
  pool: LiveObject,
  claims: readonly LiveObject[],
  { now, lastDue }: { readonly now: Instant; readonly lastDue: LastDue },
): string | undefined {
  const name = textAt(pool, 'metadata', 'name')
  const own = claims.filter((claim) => textsAt(claim, 'metadata', 'labels')[POOL_LABEL] === name)
  const going = own.filter((claim) => isGoing(claim) || !isReady(claim)).length
  const budgets = listAt(pool, 'spec', 'disruption', 'budgets')
  for (const budget of budgets.length === 0 ? DEFAULT_BUDGETS : budgets) {
    if (!bindsHere(budget) || !isActive(budget, { now, lastDue })) continue
    const most = mostOf(valueAt(budget, 'nodes'), own.length)
    if (most - going <= 0) {
      const already = going === 0 ? '' : `, and ${going === 1 ? 'one is' : `${going} are`} going or not ready`
      return `The disruption budgets of NodePool ${name} let ${plural(most, 'node')} go at a time${already}.`
    }
  }
  return undefined
}

const isGoing = (claim: LiveObject): boolean => textAt(claim, 'metadata', 'deletionTimestamp') !== ''

const isReady = (claim: LiveObject): boolean =>
  listAt(claim, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  )

/** A node whose work has been moved off is empty or underused, and not drifted. */
function bindsHere(budget: unknown): boolean {
  const reasons = listAt(budget, 'reasons')
  return reasons.length === 0 || reasons.includes('Empty') || reasons.includes('Underutilized')
}

function isActive(budget: unknown, { now, lastDue }: { readonly now: Instant; readonly lastDue: LastDue }): boolean {
  const schedule = textAt(budget, 'schedule')
  if (schedule === '') return true
  const began = lastDue(schedule, now)
  const lasts = durationMs(textAt(budget, 'duration'))
  // What cannot be read is taken to bind.
  return began === undefined || lasts === undefined || now < began + lasts
}

/** Milliseconds of `10h5m`, `30m` or `160h`: Karpenter takes no smaller unit. Undefined where it is not one. */
function durationMs(text: string): number | undefined {
  const [, hours, minutes] = /^(?:(\d+)h)?(?:(\d+)m)?(?:0s)?$/u.exec(text) ?? []
  return hours === undefined && minutes === undefined
    ? undefined
    : Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000
}

/** A number, or a share of the pool's nodes, rounded up. What cannot be read lets none go. */
function mostOf(nodes: unknown, total: number): number {
  const [, count, percent] = /^(\d+)(%?)$/u.exec(String(nodes)) ?? []
  if (count === undefined) return 0
  return percent === '%' ? Math.ceil((total * Number(count)) / 100) : Number(count)
}

/** A pool with a fixed number of nodes replaces each that goes. */
export const isStatic = (pool: LiveObject): boolean => liveNumberAt(pool, 'spec', 'replicas') !== undefined
