import type { OPERATIONS, OutputOf } from '@septet/contract'
import { isIdleKnown, rangeText, type TimeRange } from '@septet/domain'

import type { FixedReading } from '../reply/reading.ts'
import { path } from '../reply/reply.ts'
import type { Condition, Limit } from './line.ts'
import type { FieldName, FigureName, StateName, SubjectName } from './vocabulary.ts'

type Of<Key extends keyof typeof OPERATIONS> = OutputOf<(typeof OPERATIONS)[Key]>

/** One thing with what is known of it. A figure that is null is not known; null states: not known whether. */
export type Row = {
  readonly name: string
  /** Its page below `/dashboard`. */
  readonly page: string
  readonly figures: Readonly<Partial<Record<FigureName, number | null>>>
  readonly fields: Readonly<Partial<Record<FieldName, readonly string[]>>>
  readonly states: Readonly<Partial<Record<StateName, boolean | null>>>
}

/** The rows of a subject, and the number by which a sentence cites them. */
export type Rows = {
  readonly rows: readonly Row[]
  readonly cite: number
  /** How many there are, also those that an answer has no room for. */
  readonly total: number
  readonly notes: readonly string[]
  /** The range just before, where there is one. */
  readonly before: string | null
}

type Wanted = { readonly range: TimeRange | string; readonly zone: string; readonly where: readonly Condition[] }

/** Asks for the rows of a subject. Throws the `Refusal` of its operation. */
export function rowsOf(reading: FixedReading, subject: SubjectName, wanted: Wanted): Promise<Rows> {
  if (subject === 'workloads') return workloadRows(reading, wanted)
  if (subject === 'gpus') return gpuRows(reading)
  if (subject === 'recommendations') return recommendationRows(reading)
  return groupRows(reading, subject, wanted)
}

const textOf = (range: TimeRange | string): string => (typeof range === 'string' ? range : rangeText(range))
/** As many as one answer holds. */
const MOST_WORKLOADS = 2000

async function workloadRows(reading: FixedReading, { range, where }: Wanted): Promise<Rows> {
  const text = textOf(range)
  const status = where.some((each) => each.kind === 'state' && each.state === 'ended' && !each.not) ? 'ended' : 'all'
  const at = path('/workloads', { range: text })
  const { is, cite } = await reading.from('workloadsList', { range: text, status, limit: MOST_WORKLOADS }, at)
  const rows = is.workloads.map((one): Row => {
    const { holds, tenant, rightSize } = one
    return {
      name: one.id,
      page: path('/workloads', { range: text, workload: one.id }),
      figures: {
        cost: one.cost.value,
        idleCost: one.idleCost.value,
        gpuHours: one.gpuHours,
        idleHours: one.idleGpuHours,
        busy: one.busy.value,
        held: holds?.gpus ?? 0,
        idle: holds?.idle ?? 0,
        duration: one.duration,
      },
      fields: {
        namespace: [one.namespace],
        workload: [one.id],
        tenant: tenant === null ? [] : [tenant],
        model: [...new Set(holds?.parts.map(({ model }) => model))],
      },
      states: {
        waiting: one.status === 'queued',
        running: one.status === 'running',
        ended: one.status === 'ended',
        idle: holds === null ? false : holds.idle > 0,
        oversized: rightSize.kind === 'unknown' ? null : rightSize.kind === 'oversized',
      },
    }
  })
  return { rows, cite, total: is.total, notes: notesOf(is), before: null }
}

type By = NonNullable<Of<'costBreakdown'>['by']>
const BY: Readonly<Partial<Record<SubjectName, By>>> = {
  namespaces: 'namespace',
  tenants: 'tenant',
  models: 'model',
  pools: 'pool',
  nodes: 'node',
}

async function groupRows(reading: FixedReading, subject: SubjectName, { range, zone }: Wanted): Promise<Rows> {
  const by = BY[subject] ?? 'namespace'
  const text = textOf(range)
  const at = path('/cost', { range: text, by })
  const { is, cite } = await reading.from('costBreakdown', { range: text, by, zone }, at)
  const { groups, total, before, notes } = is
  const row = (name: string, amounts: Amounts): Row => ({
    name,
    page: at,
    figures: figuresOf(amounts, is.observedSeconds > 0),
    fields: { [by]: [name] },
    states: {},
  })
  const named = groups.filter(({ kind }) => kind === 'named').map((group) => row(group.key || `(no ${by})`, group))
  const rows = subject !== 'fleet' ? named : total === null ? [] : [row('the whole cluster', total)]
  return { rows, cite, total: rows.length, notes: [...notesOf(is), ...notes], before }
}

type Amounts = Pick<Of<'costBreakdown'>['groups'][number], 'gpuHours' | 'usd' | 'busy'>

function figuresOf({ gpuHours, usd, busy }: Amounts, isSeen: boolean): Row['figures'] {
  const isKnown = isSeen && isIdleKnown(gpuHours)
  return {
    cost: isSeen ? (usd?.capacity ?? null) : null,
    idleCost: isKnown ? (usd?.idleHeld ?? null) : null,
    gpuHours: isSeen ? gpuHours.capacity : null,
    idleHours: isKnown ? gpuHours.idleHeld : null,
    busy,
  }
}

async function recommendationRows(reading: FixedReading): Promise<Rows> {
  const { is, cite } = await reading.from('recommendationsList', { limit: 500 }, '/actions')
  const rows = is.recommendations.map(({ id, title, saving }): Row => ({
    name: title,
    page: path('/actions', { recommendation: id }),
    figures: { saving: saving.kind === 'estimated' ? saving.usdPerMonth : null },
    fields: {},
    states: {},
  }))
  return { rows, cite, total: is.total, notes: [], before: null }
}

type Node = Of<'partitionsList'>['nodes'][number]

async function gpuRows(reading: FixedReading): Promise<Rows> {
  const { is, cite } = await reading.from('partitionsList', { mig: 'false', limit: MOST_NODES }, '/fleet')
  const rows = is.nodes.flatMap((node) => node.gpus.map((gpu) => gpuRow(node, gpu)))
  return { rows, cite, total: rows.length + is.total - is.nodes.length, notes: notesOf(is), before: null }
}
const MOST_NODES = 2000

function gpuRow(
  { node, pool, ready }: Node,
  { id, index, model, mode, slots, blocks, fault }: Node['gpus'][number],
): Row {
  const has = (kinds: ReadonlySet<string>): boolean => blocks.some(({ kind }) => kinds.has(kind))
  const holders = [...new Set(blocks.flatMap(({ holder }) => (holder === null ? [] : [holder])))]
  const isBroken = fault !== null || !ready
  const isKnown = !isBroken && !has(UNKNOWN) && slots > 0
  const busy = blocks.reduce((sum, { busy: share, size }) => sum + (share ?? 0) * size, 0)
  return {
    name: `${node} GPU ${index}`,
    page: path('/fleet', { gpu: id }),
    figures: { busy: isKnown ? busy / slots : null },
    fields: {
      node: [node],
      model: [model],
      pool: [pool],
      workload: holders,
      namespace: [...new Set(holders.map((holder) => holder.slice(0, holder.indexOf('/'))))],
    },
    states: {
      faulty: isBroken,
      free: !has(HELD) && !isBroken,
      idle: has(UNKNOWN) ? null : has(HELD) && !has(BUSY),
      partitioned: mode === 'mig',
    },
  }
}

const BUSY: ReadonlySet<string> = new Set(['busy'])
/** What somebody does on them, nobody can tell. */
const UNKNOWN: ReadonlySet<string> = new Set(['unknown', 'others'])
const HELD: ReadonlySet<string> = new Set(['busy', 'idle', 'unknown', 'others'])

const notesOf = ({ age }: { readonly age?: string | undefined }): readonly string[] => (age === undefined ? [] : [age])

/** Whether a row is wanted; undefined where that cannot be told. */
export function isWanted(row: Row, condition: Condition): boolean | undefined {
  const found = judge(row, condition)
  if (found === undefined) return undefined
  return condition.kind !== 'limit' && condition.not ? !found : found
}

function judge({ fields, figures, states }: Row, condition: Condition): boolean | undefined {
  if (condition.kind === 'names')
    return fields[condition.field]?.some((name) => condition.names.includes(name)) ?? false
  if (condition.kind === 'state') return states[condition.state] ?? undefined
  const value = figures[condition.figure] ?? undefined
  if (value === undefined) return undefined
  return isWithin(value, condition.above, 1) && isWithin(value, condition.below, -1)
}

/** `side`: 1 for a limit that a value is above, −1 for one that it is below. */
const isWithin = (value: number, limit: Limit | undefined, side: 1 | -1): boolean =>
  limit === undefined || side * (value - limit.value) > 0 || (limit.includes && value === limit.value)
