import type { FiguresOf, recommendationsList, summaryGet, utilizationTrend } from '@septet/contract'
import {
  isIdleKnown,
  NOT_OF_NAMESPACES,
  perMonth,
  wasteOf,
  type ClusterAnalysis,
  type CostParts,
  type Figure,
  type TimeRange,
  type AnalysisPolicy,
  type Window,
} from '@septet/domain'
import { percent } from '@septet/domain/words'

import type { ClusterFacts } from '../../facts.ts'
import { costPartsView } from '../cost/cost.ts'
import { distribution, measuredOfHeld } from './distribution.ts'
import { notesOf } from '../answering/range-notes.ts'
import { FORMULAS } from '../partitions/partitions.ts'
import { savingTotals } from '../recommendations/saving-totals.ts'
import { needAnalysis, unlessAway } from '../answering/source.ts'
import { verifiedSavings, type KnownSavings, type VerifiedSavings } from '../savings/verified-savings.ts'
import { statusOf } from '../clusters/status.ts'
import {
  inSentences,
  ratioView,
  numberView,
  unmeasuredOfHeld,
  isoOf,
  type Explanation,
  type Seen,
} from '../answering/view.ts'

type Summary = FiguresOf<typeof summaryGet>

type SummaryNeeds = {
  /** Whose clock the notes tell. */
  readonly zone: string
  readonly advice: () => Promise<Advice>
  /** What actions saved, as far as the caller may see it. */
  readonly measured: () => Promise<KnownSavings>
}

/** The summary page of a live cluster. */
export async function liveSummary(
  facts: ClusterFacts,
  range: TimeRange,
  { zone, advice, measured }: SummaryNeeds,
): Promise<Summary> {
  const [{ analysis: found, answered, unread }, totals, known] = await Promise.all([
    needAnalysis(facts, range),
    totalsOf(advice),
    measured(),
  ])
  const analysis: Seen = { ...found, unread }
  return {
    ...answered,
    status: statusOf(facts),
    savings: { ...verifiedSavings(known), ...savings(analysis, totals) },
    utilization: utilization(analysis),
    workloads: {
      active: analysis.queue.runningWorkloads + analysis.queue.pendingWorkloads,
      running: analysis.queue.runningWorkloads,
      queued: analysis.queue.pendingWorkloads,
      unmetGpuRequests: analysis.queue.unmet.reduce((sum, request) => sum + request.count, 0),
    },
    mig: mig(analysis),
    distribution: distribution(analysis),
    capacity: capacity(analysis),
    cost: cost(analysis),
    notes: notesOf(analysis, { range, zone }),
  }
}

const explained = (analysis: Seen, formula: string, source = 'usage rows of this cluster'): Explanation => ({
  formula,
  source,
  window: analysis.window,
  unread: analysis.unread,
})

type Advice = FiguresOf<typeof recommendationsList>

/** What all open recommendations would bring. They come from the store: while it is away they are unknown. */
async function totalsOf(advice: () => Promise<Advice>): Promise<Advice['saves']> {
  return (await unlessAway(advice()))?.saves ?? savingTotals([], { unmade: STORE_AWAY })
}

const STORE_AWAY = 'The database is not responding, and the recommendations are in it.'

function savings(analysis: Seen, totals: Advice['saves']): Omit<Summary['savings'], keyof VerifiedSavings> {
  const { money } = analysis.cost.fleet
  // What nobody holds is waste that needs no telemetry; of namespaces there is none of it.
  const isBlind = analysis.scope === 'namespaces' && !isIdleKnown(analysis.cost.fleet.hours)
  const waste = money === undefined || isBlind ? undefined : wasteOf(money)
  const monthly = waste === undefined ? undefined : perMonth(waste, analysis.observedSeconds)
  return {
    bill: totals.billReduced,
    capacity: totals.capacityFreed,
    waste: numberView(monthly, {
      unit: 'USD/mo',
      quality: 'estimated',
      because: isBlind ? NOTHING_MEASURED : waste === undefined ? NO_PRICE : tooShort,
      leavesOut: leftOut(analysis.cost.fleet, measuredOfHeld(analysis)),
      explain: {
        ...explained(analysis, `(${wasteWords(analysis)}) per hour seen × 730 h`),
        window: analysis.observed,
      },
    }),
    note: 'What the open recommendations would take off the bill',
    change: null,
  }
}

const NO_PRICE = 'No price is known for the GPUs of this cluster.'
const tooShort = 'Less than an hour of usage is known: too little to estimate a month.'

const wasteWords = ({ scope }: ClusterAnalysis): string =>
  scope === 'namespaces' ? 'idle-held + oversized' : 'idle-held + unallocated + stranded + oversized + broken'

function utilization(analysis: Seen): Summary['utilization'] {
  const { busy, busyOfAllocated, allocation, effective } = analysis.utilization
  return {
    busy: ratioView(
      busy,
      explained(
        analysis,
        analysis.scope === 'namespaces'
          ? 'Σ share × busy time / Σ share × held time, over measured GPUs'
          : 'Σ share × busy time / Σ share × ready time, over measured GPUs',
      ),
    ),
    busyOfAllocated: ratioView(busyOfAllocated, explained(analysis, 'Σ busy GPU-h / Σ measured allocated GPU-h')),
    allocated: ratioView(allocation, explained(analysis, 'allocated GPU-h / capacity GPU-h')),
    effective: ratioView(
      effective,
      explained(analysis, 'mean SM activity over allocated time', 'DCGM_FI_PROF_SM_ACTIVE'),
    ),
    target: analysis.policy.utilizationTarget,
    note: targetNote(busy, analysis.policy.utilizationTarget),
  }
}

/** How far from the target, in percentage points: a share of a share would read as something else. */
function targetNote(busy: Figure, target: number): string {
  if (busy.kind === 'unknown') return 'Not measured'
  const points = (busy.value - target) * 100
  return `${Math.abs(points).toFixed(1)} points ${points >= 0 ? 'above' : 'below'} target`
}

function mig(analysis: Seen): Summary['mig'] {
  const { sliceAllocation, sliceBusy, sliceCoverage, fragmentation } = analysis.mig
  const now = { source: 'cluster snapshot', window: undefined }
  const allocation = ratioView(sliceAllocation, {
    ...now,
    formula: FORMULAS.sliceAllocation,
  })
  const busy = ratioView(
    sliceBusy,
    explained(analysis, 'Σ share × busy over held instances / Σ share over held instances'),
  )
  const headline =
    analysis.scope === 'namespaces'
      ? { headline: busy, note: 'Busy share of the MIG slices that your namespaces held' }
      : { headline: allocation, note: 'Share of the created MIG slices that workloads hold now' }
  return {
    ...headline,
    coverage: ratioView(sliceCoverage, {
      ...now,
      formula: FORMULAS.sliceCoverage,
    }),
    allocation,
    busy,
    fragmentation: ratioView(fragmentation, {
      ...now,
      formula: FORMULAS.fragmentation,
    }),
  }
}

function capacity(analysis: ClusterAnalysis): Summary['capacity'] {
  const devices = analysis.quality.devices ?? []
  return {
    nodes: analysis.capacity.nodes,
    gpus: analysis.capacity.gpus,
    readyGpus: analysis.capacity.readyGpus,
    measuredDevices: devices.find((entry) => entry.reason === 'measured')?.devices ?? 0,
    devices: devices.reduce((sum, entry) => sum + entry.devices, 0),
    unknown: devices
      .filter((entry) => entry.reason !== 'measured')
      .map(({ reason, devices: count }) => ({ reason, devices: count })),
    sentences: [...analysis.quality.sentences],
  }
}

function cost(analysis: Seen): Summary['cost'] {
  const { fleet } = analysis.cost
  return {
    capacity: part(
      analysis,
      'capacity',
      analysis.scope === 'namespaces' ? 'held GPU-h × price' : 'GPU-h of all GPUs × price',
    ),
    used: part(analysis, 'used', 'held GPU-h that were neither idle nor oversized × price'),
    unmeasured: part(analysis, 'unmeasured', 'the part of used that no trustworthy telemetry covers'),
    idleHeld: part(analysis, 'idleHeld', `held, ${idleWords(analysis.policy, analysis.window)}, × price`),
    unallocated: part(analysis, 'unallocated', 'free GPU-h in a usable shape × price'),
    stranded: part(analysis, 'stranded', 'free GPU-h in a shape that no profile can use × price'),
    oversized: part(analysis, 'oversized', '(share held − share of the size in force then) × working hours × price'),
    broken: part(analysis, 'broken', 'GPU-h of nodes not ready, withheld devices and stopped GPUs × price'),
    unrequested: part(analysis, 'unrequested', 'GPU-h of GPUs that work without a request × price'),
    unobserved: part(analysis, 'unobserved', 'GPU-h of known GPUs that were not observed × price'),
    hours: costPartsView(fleet.hours, analysis.scope),
    unpricedGpuHours: fleet.unpriced,
  }
}

function part(analysis: Seen, name: keyof CostParts['hours'], formula: string): Summary['cost']['used'] {
  const explain = explained(analysis, formula, 'usage rows × price book')
  if (analysis.scope === 'namespaces' && NOBODYS.has(name)) {
    return numberView(undefined, { unit: 'USD', because: NOT_OF_NAMESPACES, explain })
  }
  const { fleet } = analysis.cost
  const isSeen = analysis.observed !== undefined && (analysis.scope === 'namespaces' || fleet.hours.capacity > 0)
  if (!isSeen) return numberView(undefined, { unit: 'USD', because: NO_GPU_SEEN, explain })
  const coverage = NEEDS_TELEMETRY.has(name) ? measuredOfHeld(analysis) : undefined
  const money = coverage === 0 ? undefined : fleet.money?.[name]
  return numberView(money, {
    unit: 'USD',
    because:
      fleet.money === undefined ? 'No price is known for these GPUs; set one in the price book.' : NOTHING_MEASURED,
    coverage,
    leavesOut: leftOut(fleet, coverage),
    explain,
  })
}

const NOBODYS: ReadonlySet<string> = new Set<keyof CostParts['hours']>([
  'unallocated',
  'stranded',
  'broken',
  'unrequested',
  'unobserved',
])

/** The parts that only measured time can be in: of the rest it is not known whether it belongs there. */
const NEEDS_TELEMETRY: ReadonlySet<string> = new Set<keyof CostParts['hours']>(['idleHeld', 'oversized'])
const NO_GPU_SEEN = 'No GPU was seen in this window.'
const NOTHING_MEASURED = 'Nothing that pods held was measured in this window.'

function leftOut({ unpriced, money }: CostParts, coverage: number | undefined): string | undefined {
  return inSentences([
    unpriced > 0 && money !== undefined ? `${unpriced.toFixed(1)} GPU-h have no price and are not in it.` : undefined,
    coverage === undefined ? undefined : unmeasuredOfHeld(coverage),
  ])
}

/**
 * What counts as idle, as it stands in the explanation of every idle number. Where the limit was changed within the
 * window, it says from when on it holds: what was judged before keeps the limit of its time.
 */
export function idleWords({ idle }: AnalysisPolicy, window: Window): string {
  const rule = `busy ≤ ${percent(idle.threshold)} for ≥ ${idle.minimum / 60} min in a row`
  if (idle.since === undefined || idle.since <= window.from) return rule
  return `${rule} (since ${new Date(idle.since).toISOString().slice(0, 16).replace('T', ' ')} UTC; before, by the limit of that time)`
}

/** Utilization per bucket; a bucket without trustworthy measurement stays a gap. */
export async function liveTrend(facts: ClusterFacts, range: TimeRange): Promise<FiguresOf<typeof utilizationTrend>> {
  const { analysis, trendStep, answered } = await needAnalysis(facts, range)
  return {
    ...answered,
    step: trendStep,
    points: analysis.trend.map((point) => ({
      at: isoOf(point.at),
      busy: point.busy ?? null,
      busyOfAllocated: point.busyOfAllocated ?? null,
      allocated: point.allocation ?? null,
      coverage: point.coverage ?? null,
    })),
    models: analysis.trendByModel.map(({ model, points }) => ({
      model,
      busy: points.map((point) => point?.busy ?? null),
      allocated: points.map((point) => point?.allocation ?? null),
    })),
  }
}
