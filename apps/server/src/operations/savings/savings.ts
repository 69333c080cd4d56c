import type { FiguresOf, savingsList } from '@septet/contract'
import {
  instant,
  promisedIn,
  savingsLedger,
  spanOfRange,
  type ActionStore,
  type Amount,
  type Realized,
  type SavingsLedger,
  type TimeRange,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { clusterSavings, type MeasuredRun } from '../../savings/cluster-savings.ts'
import { answeredFrom, answeredOver, upTo } from '../answering/source.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type Savings = FiguresOf<typeof savingsList>
type ActionSaving = Savings['savings'][number]
type ColumnView = Savings['ledger']['capacityFreed']

type Needs = {
  readonly actions: Pick<ActionStore, 'list' | 'measured'>
  readonly now: () => number
}

/** What each action of a cluster saved, and all of them together: in a period, or ever. */
export const listSavings =
  ({ actions, now }: Needs) =>
  async (facts: ClusterFacts, { range }: { readonly range?: TimeRange | undefined }): Promise<Savings> => {
    const at = instant(now())
    const within = range && spanOfRange(range, at)
    const measured = await clusterSavings(actions, facts.record.id, within)
    const ledger = savingsLedger(measured.map(({ saving }) => saving))
    return {
      ...(range === undefined || within === undefined
        ? answeredFrom(facts, undefined)
        : answeredOver(facts, { range, window: upTo(within, at), madeAt: at })),
      savings: measured.map(savingOf),
      ledger: { capacityFreed: columnView(ledger['capacity-freed']), billReduced: columnView(ledger['bill-reduced']) },
    }
  }

function savingOf({ run, saving, price }: MeasuredRun): ActionSaving {
  const { estimate, realized } = saving
  return {
    action: run.id,
    title: run.title,
    class: run.class,
    object: run.object,
    appliedAt: isoOrNull(run.transitions.find(({ state }) => state === 'applied')?.at),
    effect: saving.effect,
    state: saving.state,
    because: saving.because,
    estimate:
      estimate === undefined
        ? null
        : { gpuHoursPerMonth: estimate.gpuHoursPerMonth, usdPerMonth: estimate.usdPerMonth ?? null },
    realized: realized === undefined ? null : { ...realizedView(realized), promised: promisedView(promisedIn(saving)) },
    price: price ?? null,
  }
}

const realizedView = ({ window, basis, work, gpuHours, usd, knownHours, unknownHours }: Realized) => ({
  window: { from: isoOf(window.from), to: isoOf(window.to) },
  basis,
  work:
    work === undefined
      ? null
      : { ...work, perGpuHour: { before: work.perGpuHour.before, after: work.perGpuHour.after ?? null } },
  gpuHours: amountView(gpuHours),
  usd: usd === undefined ? null : amountView(usd),
  knownHours,
  unknownHours,
})

const promisedView = (promised: { readonly gpuHours: number; readonly usd: number | undefined } | undefined) =>
  promised === undefined ? null : { gpuHours: promised.gpuHours, usd: promised.usd ?? null }

function columnView({ realized, estimated }: SavingsLedger['capacity-freed']): ColumnView {
  return {
    realized:
      realized.runs === 0
        ? null
        : {
            ...realized,
            gpuHours: amountView(realized.gpuHours),
            usd: realized.usd === undefined ? null : amountView(realized.usd),
            promised: promisedView(realized.promised),
          },
    estimated:
      estimated.runs === 0
        ? null
        : {
            ...estimated,
            gpuHoursPerMonth: estimated.gpuHoursPerMonth ?? null,
            usdPerMonth: estimated.usdPerMonth ?? null,
          },
  }
}

const amountView = ({ value, range }: Amount<number>) => ({
  value,
  low: range?.low ?? null,
  high: range?.high ?? null,
})
