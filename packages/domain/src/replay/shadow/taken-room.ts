import type { UsageRow } from '../../analyze/usage.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { compareText, type Instant, type Window } from '../../units.ts'
import type { Advised } from './shadow-rule.ts'

/** Room that a change took, for as long as it would have lasted. */
export type RoomTaken = Window & { readonly advised: Pick<Advised, 'advice' | 'needs'>; readonly work: WorkloadId }

/**
 * What was recorded, as it would have been with these changes: what was free and a change took is held, and a GPU that was
 * cut again is no room, as nobody recorded what others would have made of its new layout.
 */
export function withTaken(rows: readonly UsageRow[], taken: readonly RoomTaken[], now: Instant): readonly UsageRow[] {
  const there = taken.filter(({ from, to }) => from <= now && now <= to)
  if (there.length === 0) return rows
  const holders = new Map(there.flatMap(({ advised: { needs }, work }) => needs.map((need) => [need, work] as const)))
  const steps = there.flatMap(({ advised }) => advised.advice.plan.steps)
  const cut = new Set(
    steps.flatMap(({ action }) => (action.kind === 'repartition' ? action.gpus.map(({ gpu }) => gpu) : [])),
  )
  const held = rows.map((row) => {
    const work = row.kind === 'free' ? holders.get(`partition/${row.partition}`) : undefined
    return work === undefined ? row : takenBy(row, work)
  })
  return [...held, ...cutAnew(rows, cut)]
}

export const takenBy = (row: UsageRow, workload: WorkloadId): UsageRow => {
  const [namespace = '', , ...name] = workload.split('/')
  return { ...row, kind: 'held', namespace, workload, pod: `${namespace}/${name.join('/')} as it would be` }
}

function cutAnew(rows: readonly UsageRow[], cut: ReadonlySet<string>): readonly UsageRow[] {
  const of = new Map(rows.flatMap((row) => (cut.has(row.gpu) ? [[row.gpu, row] as const] : [])))
  return [...of]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([gpu, row]) => ({
      ...row,
      kind: 'down',
      partition: `${gpu}/down`,
      profile: '',
      namespace: '',
      workload: '',
      pod: '',
    }))
}
