import type { fleetGpu, OutputOf } from '@septet/contract'
import {
  bucketStart,
  instant,
  recordOf,
  SHOWN_MEANS,
  SPAN_SECONDS,
  type Gpu,
  type ShownMean,
  type Store,
  type TenantRule,
  type UsageRow,
  type Window,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { partitionName } from './fleet-gpu-partitions.ts'
import { isoOf } from '../answering/view.ts'

export type GpuNeeds = {
  readonly store: Store
  readonly rules: readonly TenantRule[]
  /** Of a caller who is limited to some. */
  readonly namespaces: readonly string[] | undefined
  readonly now: number
}

type Series = NonNullable<OutputOf<typeof fleetGpu>['day']>
type Day = { readonly window: Window; readonly series: Series }

const STEP = SPAN_SECONDS['5m']
const BUCKETS = 86_400 / STEP

type Of = { readonly facts: ClusterFacts; readonly gpu: Gpu; readonly picture: ClusterPicture }

/** Busy and memory of a GPU's partitions, and what is kept of the whole GPU, over the last 24 hours, also of those that are no longer cut. */
export async function dayOfGpu({ facts, gpu, picture }: Of, { store, namespaces, now }: GpuNeeds): Promise<Day> {
  const to = instant(bucketStart(instant(now), '5m') + STEP * 1000)
  const window = { from: instant(to - BUCKETS * STEP * 1000), to }
  const rows = await store.usage.rows({
    cluster: facts.record.id,
    span: '5m',
    window,
    gpus: [gpu.id],
    ...(namespaces === undefined ? {} : { namespaces }),
  })
  const names = new Map(gpu.partitions.map((partition) => [partition.id, partitionName(partition)]))
  const known = Map.groupBy(
    rows.filter(({ partition }) => !NOT_A_PARTITION.test(partition)),
    ({ partition }) => partition,
  )
  const order = [...names.keys(), ...[...known.keys()].filter((id) => !names.has(id)).toSorted()]
  const hidden = (id: string): boolean => picture.heldByOthers?.has(id) === true
  return {
    window,
    series: {
      from: isoOf(window.from),
      step: STEP,
      partitions: order
        .filter((id) => known.has(id) && !hidden(id))
        .map((id) =>
          seriesOf(
            { id, name: names.get(id) ?? `${formerName(known.get(id))}, no longer there` },
            known.get(id) ?? [],
            window,
          ),
        ),
      ...recordOf(SHOWN_MEANS, (mean) => valuesOf(known.get(gpu.id) ?? [], window, measureOf(mean))),
    },
  }
}

/** Space of a GPU that is not a partition. */
const NOT_A_PARTITION = /\/(?:uncut|stranded)$/u

const formerName = (rows: readonly UsageRow[] | undefined): string => {
  const profile = rows?.at(-1)?.profile ?? ''
  return profile === '' ? 'whole GPU or replica' : profile
}

const seriesOf = (
  partition: { readonly id: string; readonly name: string },
  rows: readonly UsageRow[],
  window: Window,
): Series['partitions'][number] => ({
  ...partition,
  busy: valuesOf(rows, window, BUSY),
  memory: valuesOf(rows, window, MEMORY),
})

type Measure = {
  readonly value: (row: UsageRow) => number | undefined
  readonly seconds: (row: UsageRow) => number
  readonly digits: number
}

const BUSY: Measure = { value: ({ busy }) => busy, seconds: ({ measured }) => measured, digits: 4 }
const MEMORY: Measure = { value: ({ memoryUsed }) => memoryUsed, seconds: ({ present }) => present, digits: 0 }
const measureOf = (mean: ShownMean): Measure => ({
  value: (row) => row[mean],
  seconds: ({ present }) => present,
  digits: 1,
})

/** One value a bucket; where the holder changed within one, the mean over the time of each. A gap stays null. */
function valuesOf(rows: readonly UsageRow[], { from }: Window, { value, seconds, digits }: Measure): (number | null)[] {
  const sums = new Float64Array(BUCKETS)
  const lengths = new Float64Array(BUCKETS)
  for (const row of rows) {
    const known = value(row)
    const bucket = Math.floor((row.at - from) / (STEP * 1000))
    const length = seconds(row)
    if (known === undefined || length <= 0 || bucket < 0 || bucket >= BUCKETS) continue
    sums[bucket] = (sums[bucket] ?? 0) + known * length
    lengths[bucket] = (lengths[bucket] ?? 0) + length
  }
  return Array.from(lengths, (length, bucket) =>
    length === 0 ? null : Number(((sums[bucket] ?? 0) / length).toFixed(digits)),
  )
}
