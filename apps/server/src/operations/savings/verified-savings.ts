import { plural } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import { HOUR_MS, realizedIn, savingsLedger, type Amount, type SavingEffect, type Window } from '@septet/domain'

import type { Namespaces } from '../../facts.ts'
import type { MeasuredRun, RecentSavings } from '../../savings/cluster-savings.ts'
import { numberView, type Explanation } from '../answering/view.ts'
import { unlessAway } from '../answering/source.ts'

/** What was measured after changes were applied: off the bill, and freed for other work. They are never one sum. */
export type VerifiedSavings = { readonly verified: FigureView; readonly freed: FigureView }

/** Undefined while the store does not answer. */
export type KnownSavings = readonly MeasuredRun[] | undefined

/** Those that a caller may see: of a cluster all, of namespaces those of their workloads. */
export async function knownSavings(
  recent: RecentSavings,
  cluster: string,
  namespaces: Namespaces | undefined,
): Promise<KnownSavings> {
  const all = await unlessAway(recent(cluster))
  return namespaces === undefined ? all : all?.filter(({ run }) => isIn(run.object, namespaces))
}

const isIn = (object: string, namespaces: Namespaces): boolean =>
  namespaces.some((name) => object.startsWith(`workload/${name}/`))

/** Of all actions of a cluster, over the hours that were measured after each. */
export function verifiedSavings(known: KnownSavings): VerifiedSavings {
  const ledger = known && savingsLedger(known.map(({ saving }) => saving))
  return {
    verified: figureOf(ledger?.['bill-reduced'].realized, whyNone(known, 'bill-reduced'), EXPLAIN['bill-reduced']),
    freed: figureOf(ledger?.['capacity-freed'].realized, whyNone(known, 'capacity-freed'), EXPLAIN['capacity-freed']),
  }
}

/** The same of the hours that lie in a window. */
export function verifiedIn(known: KnownSavings, window: Window): VerifiedSavings {
  const of = (effect: SavingEffect): FigureView => {
    const parts = (known ?? []).flatMap((each) => partOf(each, effect, window))
    const priced = parts.flatMap(({ usd }) => usd ?? [])
    const realized: Sums = {
      runs: parts.length,
      gpuHours: { value: sumOf(parts.map((part) => part.gpuHours)), range: undefined },
      usd: priced.length === 0 ? undefined : { value: sumOf(priced), range: undefined },
      unpriced: parts.length - priced.length,
      unknownHours: 0,
    }
    const none = (known ?? []).some(({ saving }) => saving.effect === effect && realizedIn(saving) !== undefined)
      ? 'No savings were verified in this month.'
      : whyNone(known, effect)
    return figureOf(realized, none, { ...EXPLAIN[effect], window })
  }
  return { verified: of('bill-reduced'), freed: of('capacity-freed') }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function partOf({ saving, price }: MeasuredRun, effect: SavingEffect, { from, to }: Window) {
  const realized = saving.effect === effect ? realizedIn(saving) : undefined
  const hours = (realized?.byHour ?? []).filter(({ hour }) => hour * HOUR_MS >= from && hour * HOUR_MS < to)
  if (hours.length === 0) return []
  const gpuHours = sumOf(hours.map(({ value }) => value))
  return [{ gpuHours, usd: price === undefined ? undefined : gpuHours * price.usdPerGpuHour }]
}

type Sums = {
  readonly runs: number
  readonly gpuHours: Amount<number>
  readonly usd: Amount<number> | undefined
  readonly unpriced: number
  readonly unknownHours: number
}

/** In dollars, in GPU-hours where nothing of it has a price. */
function figureOf(found: Sums | undefined, because: string, explain: Explanation): FigureView {
  if (found === undefined || found.runs === 0) return numberView(undefined, { unit: 'USD', because, explain })
  const { value, range } = found.usd ?? found.gpuHours
  const out = leftOut(found)
  const figure = numberView(value, { unit: found.usd === undefined ? 'GPU-h' : 'USD', leavesOut: out, explain })
  return range === undefined ? figure : { ...figure, interval: { low: range.low, high: range.high } }
}

function leftOut({ usd, unpriced, unknownHours }: Sums): string | undefined {
  const sentences = [
    unknownHours > 0
      ? `${plural(unknownHours, 'hour')} after the changes could not be compared and are not in it.`
      : '',
    usd !== undefined && unpriced > 0 ? `What ${plural(unpriced, 'change')} saved has no price and is not in it.` : '',
  ].filter((sentence) => sentence !== '')
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

const EXPLAIN = {
  'bill-reduced': {
    formula: 'GPU-hours of nodes that are gone and not replaced, for up to 4 weeks after each × price at the approval',
    source: 'savings ledger',
    window: undefined,
  },
  'capacity-freed': {
    formula:
      '(GPU-hours held in the same hours of the week before − held after), for up to 4 weeks after each change × price at the approval',
    source: 'savings ledger',
    window: undefined,
  },
} satisfies Record<SavingEffect, Explanation>

function whyNone(known: KnownSavings, effect: SavingEffect): string {
  if (known === undefined) return 'The database is not responding, so the savings are unknown now.'
  const applied = known.filter(({ run }) => run.transitions.some(({ state }) => state === 'applied'))
  if (applied.length === 0) return 'Nothing verified yet: Septet has not applied a change to this cluster.'
  const own = applied.filter(({ saving }) => saving.effect === effect)
  if (own.length === 0) {
    return effect === 'bill-reduced'
      ? 'Nothing verified: a bill falls only when a node goes, and Septet has removed none.'
      : 'Nothing verified: Septet has applied no change that frees capacity.'
  }
  const waiting = own.filter(({ saving }) => saving.state === 'applied').length
  if (waiting > 0) {
    return `Nothing verified yet: ${plural(waiting, 'change is', 'changes are')} being measured, which takes a week or more.`
  }
  return own.every(({ saving }) => saving.state === 'reverted')
    ? 'Nothing verified: the changes were reverted.'
    : 'Nothing verified: no change saved more than chance could explain.'
}
