import type { InputOf, FiguresOf, OutputOf, costBreakdown, pricesUsed } from '@septet/contract'
import { busyOf } from '@septet/contract/busy-words'
import {
  compareText,
  instant,
  rangeText,
  spanBefore,
  type ClusterAnalysis,
  type CostGroup,
  type CostParts,
  type SettingStore,
  type Store,
  type TimeRange,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { type CostCut, costCutOf, labelKeys } from './cost-cuts.ts'
import { notesOf } from '../answering/range-notes.ts'
import { needAnalysis } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Cost = FiguresOf<typeof costBreakdown>

/** Where the money went, by which prices, and on what the most was wasted. */
export const costAnswers = ({
  store,
}: {
  readonly store: Pick<Store, 'settings'>
}): AnswersOf<'costBreakdown' | 'pricesUsed' | 'findings'> => ({
  costBreakdown: (facts, input) => liveCost(facts, input, store.settings),
  /** Which GPUs were there in a window, and which price applies to them; those without one first. */
  async pricesUsed(facts, input) {
    const { analysis, answered } = await needAnalysis(facts, input.range)
    const uses = analysis.cost.prices.map(useView)
    return {
      ...answered,
      observedSeconds: analysis.observedSeconds,
      uses: uses.toSorted(
        (a, b) =>
          Number(a.usdPerGpuHour !== null) - Number(b.usdPerGpuHour !== null) ||
          b.gpuHours - a.gpuHours ||
          compareText(a.model, b.model),
      ),
    }
  },
  /** Findings of a window, costliest first. */
  async findingsList(facts, { range }) {
    const { analysis, answered } = await needAnalysis(facts, range)
    return {
      ...answered,
      findings: analysis.findings.map(({ id, kind, object, message, gpuHours, costPerMonth, evidence }) => ({
        id,
        kind,
        object,
        message,
        gpuHours: gpuHours ?? null,
        usdPerMonth: costPerMonth ?? null,
        evidence: { ...evidence },
      })),
    }
  },
})

/** Where the money went, cut one way; the groups add up to the total. */
export async function liveCost(
  facts: ClusterFacts,
  input: InputOf<typeof costBreakdown>,
  settings: SettingStore,
): Promise<Cost> {
  const { analysis, answered, unread } = await needAnalysis(facts, input.range)
  const { fleet } = analysis.cost
  const cut = await costCutOf(facts, input, settings)
  return {
    ...answered,
    by: input.by,
    groups: groupsOf(analysis, cut, input).map((group) => ({
      id: group.key,
      ...cut.describe(group.key),
      ...amountsView(group, analysis),
    })),
    total: amountsView({ cost: fleet, busyOfAllocated: analysis.utilization.busyOfAllocated }, analysis),
    unpricedGpuHours: fleet.unpriced,
    within: input.within ?? null,
    labels: input.by === 'label' ? labelKeys(analysis.cost.cells, cut.labelsOf) : [],
    observedSeconds: analysis.observedSeconds,
    notes: notesOf({ ...analysis, unread }, input),
    before: rangeBefore(analysis, input.range),
  }
}

function groupsOf(
  analysis: ClusterAnalysis,
  { groups, within }: CostCut,
  input: InputOf<typeof costBreakdown>,
): readonly CostGroup[] {
  const all = groups(analysis)
  if (input.within === undefined) return all
  const whole = all.find(({ key }) => key === input.within)
  return whole === undefined ? [] : within(analysis, whole)
}

function rangeBefore({ window }: ClusterAnalysis, range: TimeRange): string | null {
  if (window.to <= window.from) return null
  const before = spanBefore(range, window)
  // A window that runs on must not have another one before it with every second: whole steps of about a 200th.
  const step = STEPS_MS.findLast((each) => each * 150 <= before.to - before.from) ?? STEPS_MS[0]
  const length = Math.max(step, Math.floor((before.to - before.from) / step) * step)
  const from = range.kind === 'calendar' ? before.from : instant(before.to - length)
  return rangeText({ kind: 'custom', window: { from, to: instant(from + length) } })
}

const STEPS_MS = [60_000, 300_000, 3_600_000] as const

const amountsView = (group: Omit<CostGroup, 'key'>, { scope }: ClusterAnalysis): NonNullable<Cost['total']> => {
  const { hours, money } = group.cost
  return {
    gpuHours: costPartsView(hours, scope),
    usd: money === undefined ? null : costPartsView(money, scope),
    ...busyOf(group),
  }
}

/** What nobody held is not known of namespaces, so it is not 0 either. */
export const costPartsView = (
  parts: CostParts['hours'] | NonNullable<CostParts['money']>,
  scope: ClusterAnalysis['scope'],
): NonNullable<Cost['total']>['gpuHours'] =>
  scope === 'namespaces'
    ? { ...parts, unallocated: null, stranded: null, broken: null, unrequested: null, unobserved: null }
    : { ...parts }

type PriceUse = ClusterAnalysis['cost']['prices'][number]

const useView = ({ model, pool, offer, price, hours }: PriceUse): OutputOf<typeof pricesUsed>['uses'][number] => ({
  model,
  pool,
  instanceType: offer?.instanceType ?? '',
  region: offer?.region ?? '',
  capacity: offer?.capacity ?? null,
  gpuHours: hours,
  ...priceView(price),
})

const priceView = (price: PriceUse['price']) =>
  price.kind === 'known'
    ? {
        usdPerGpuHour: price.price,
        source: price.source,
        asOf: isoOf(price.asOf),
        estimate: price.estimate === true,
      }
    : { usdPerGpuHour: null, source: price.because, asOf: null, estimate: false }
