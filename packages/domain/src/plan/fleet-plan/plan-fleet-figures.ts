import { firstFew, plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { pricesOf, pricingOf } from '../../cost/prices-of.ts'
import type { PriceBook } from '../../cost/price.ts'
import { stepRequestWords } from '../steps/step-words.ts'
import { compareText, HOURS_PER_MONTH } from '../../units.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { FleetSaving, FleetUse } from './plan-fleet-answer.ts'
import type { FleetProblem } from './plan-fleet-problem.ts'
import { planLayout } from '../layout/plan-layout.ts'

/** Pods that no node has yet. */
export const waitingPods = ({ pods }: ClusterSnapshot): readonly Pod[] =>
  pods.filter(({ phase, node }) => phase === 'Pending' && node === undefined)

/** GPUs in use before and after a draft, how few any layout could do with, and the fewest for which a layout is known. */
export function useOf(
  before: FleetProblem,
  after: FleetProblem,
  freed: readonly GpuId[],
): { readonly use: FleetUse; readonly best: number | undefined; readonly notes: readonly string[] } {
  const answer = planLayout(after.problem, { boundGpus: true })
  const use = { gpus: before.gpus, before: before.used, after: after.used, heldWhole: before.heldWhole, freed }
  const { goal, bound, gpuBound, notes } = answer.quality
  const gpus = goal === 'gpus' ? bound : gpuBound
  return {
    use: { ...use, bound: gpus === undefined ? undefined : Math.ceil(gpus - 1e-6) },
    best: answer.totals.gpus,
    notes: [...notes, ...assumedNotes(after)],
  }
}

/** What is planned with in place of a price that nobody knows. */
const assumedNotes = ({ assumed }: FleetProblem): readonly string[] =>
  assumed === undefined
    ? []
    : [
        `No price is known for ${assumed.classes.join(', ')}: planned with at $${assumed.price.toFixed(2)} per GPU-hour, the mean of the others, and in no amount.`,
      ]

/** What waits and finds a place under no layout, however much is moved. */
export function neverPlaced(now: FleetProblem): { readonly workloads: number; readonly notes: readonly string[] } {
  const { misfits, problem } = now
  const asked = Map.groupBy(misfits, ({ requests }) => stepRequestWords(requests))
  const least = Math.floor(planLayout(problem).quality.unplacedBound * 100 + 1e-6) / 100
  return {
    workloads: new Set(misfits.map(({ workload }) => workload)).size,
    notes: [
      ...[...asked].toSorted(([a], [b]) => compareText(a, b)).map(([what, pods]) => misfitWords(what, pods)),
      ...(least > 0
        ? [`Work worth at least ${plural(least, 'GPU')} finds no place beside them under any layout.`]
        : []),
    ],
  }
}

function misfitWords(what: string, pods: readonly Pod[]): string {
  const names = pods.map(({ id }) => id).toSorted()
  return `Under no layout does a working GPU offer ${what} where ${firstFew(names, 3)} may run.`
}

/** A fleet found on a snapshot with closed nodes, with the nodes as they are: so that figures of drafts can be compared. */
export function asInWhole(fleet: IndexedFleet, whole: ClusterSnapshot): IndexedFleet {
  const own = new IndexedFleet(whole)
  for (const space of fleet.spaces()) {
    const before = own.space(space.gpu.id)
    if (before !== undefined) own.set({ ...space, node: before.node, open: before.open })
  }
  return own
}

/** What these GPUs cost per month. */
export function savingOf(snapshot: ClusterSnapshot, gpus: readonly GpuId[], book: PriceBook): FleetSaving | undefined {
  if (gpus.length === 0) return undefined
  const wanted = new Set(gpus)
  const priceOf = pricesOf(book, pricingOf(snapshot))
  const priced = snapshot.nodes.flatMap((node) => {
    const count = node.gpus.filter(({ id }) => wanted.has(id)).length
    const model = node.model ?? node.product
    return count === 0 ? [] : [{ count, model, price: priceOf({ pool: node.pool, node: node.name, model }) }]
  })
  const sentences = priced.map(({ model, price }) =>
    price.kind === 'known' ? `${model}: $${price.price} per GPU-hour (${price.source})` : price.because,
  )
  const hourly = priced.reduce<number | undefined>(
    (sum, { count, price }) => (sum === undefined || price.kind === 'unknown' ? undefined : sum + count * price.price),
    0,
  )
  return {
    gpus: gpus.length,
    usdPerMonth: hourly === undefined ? undefined : Math.round(hourly * HOURS_PER_MONTH * 100) / 100,
    prices: [...new Set(sentences)].toSorted(),
  }
}
