import type { costBreakdown, InputOf, OutputOf } from '@septet/contract'
import {
  compareText,
  cutCost,
  tenantOf,
  type ClusterAnalysis,
  type CostCell,
  type CostGroup,
  type SettingStore,
  type TenantSubject,
} from '@septet/domain'

import { subjectLabels } from '../../usage/budget-states.ts'
import type { ClusterFacts } from '../../facts.ts'
import { readTenants } from '../../tenants.ts'

type Group = OutputOf<typeof costBreakdown>['groups'][number]
type LabelsOf = (workload: string) => TenantSubject['labels']

/** One way to cut a cost. The keys of its groups are their ids. */
export type CostCut = {
  readonly groups: (analysis: ClusterAnalysis) => readonly CostGroup[]
  /** A group by its workloads; empty for a cut that keeps none apart. */
  readonly within: (analysis: ClusterAnalysis, group: CostGroup) => readonly CostGroup[]
  readonly describe: (id: string) => Pick<Group, 'key' | 'kind'>
  readonly labelsOf: LabelsOf
}

/** The cut that was asked for, with what it needs to know of tenants and labels. */
export async function costCutOf(
  facts: ClusterFacts,
  { by, label }: InputOf<typeof costBreakdown>,
  settings: SettingStore,
): Promise<CostCut> {
  const [labelsOf, rules] = await Promise.all([subjectLabels(settings, facts), readTenants(settings)])
  const tenantId = ({ namespace, workload }: CostCell): string =>
    named(tenantOf({ namespace, labels: labelsOf(workload) }, rules))
  const cuts: Record<typeof by, () => CostCut> = {
    namespace: () => cellCut(labelsOf, ({ namespace }) => named(namespace)),
    tenant: () => cellCut(labelsOf, tenantId),
    label: () => cellCut(labelsOf, ({ workload }) => labelId(labelsOf(workload), label)),
    model: () => cellCut(labelsOf, ({ model }) => NAMED + model, true),
    pool: () => cellCut(labelsOf, ({ pool }) => NAMED + pool, true),
    node: () => nodeCut(labelsOf),
  }
  return cuts[by]()
}

/** Cells know no node, so that a node is not cut further. */
const nodeCut = (labelsOf: LabelsOf): CostCut => ({
  groups: ({ cost }) => cost.byNode.map((group) => ({ ...group, key: NAMED + group.key })),
  within: () => [],
  describe,
  labelsOf,
})

const NAMED = 'named:'
const NONE = 'none:'
const UNKNOWN = 'unknown:'
const FREE = 'free:'

const named = (name: string | undefined): string => (name === undefined ? NONE : NAMED + name)

/** Nothing is left out: what has no such label, and what ended before its labels were read, are groups of their own. */
function labelId(labels: TenantSubject['labels'], key: string | undefined): string {
  if (labels === undefined) return UNKNOWN
  return named(key !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined)
}

/** A cut of cells; what nobody held is a group of its own unless the cut is of GPUs, which it belongs to as well. */
function cellCut(labelsOf: LabelsOf, idOf: (cell: CostCell) => string, ofGpus = false): CostCut {
  const idOfCell = (cell: CostCell): string => (cell.workload === '' && !ofGpus ? FREE : idOf(cell))
  return {
    groups: ({ cost }) => cutCost(cost.cells, idOfCell),
    within: ({ cost }, { key }) =>
      cutCost(
        cost.cells.filter((cell) => idOfCell(cell) === key),
        ({ workload }) => (workload === '' ? FREE : NAMED + workload),
      ),
    describe,
    labelsOf,
  }
}

function describe(id: string): Pick<Group, 'key' | 'kind'> {
  if (id === FREE) return { key: '', kind: 'free' }
  if (id === NONE) return { key: '', kind: 'none' }
  if (id === UNKNOWN) return { key: '', kind: 'unknown' }
  return { key: id.slice(NAMED.length), kind: 'named' }
}

/** Keys of labels that workloads of a window carry, those that most carry first. */
export function labelKeys(cells: readonly CostCell[], labelsOf: LabelsOf): string[] {
  const workloads = new Set(cells.map(({ workload }) => workload))
  const counts = new Map<string, number>()
  for (const workload of workloads) {
    for (const key of Object.keys(labelsOf(workload) ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, many], [b, more]) => more - many || compareText(a, b)).map(([key]) => key)
}
