import type { fleetGpu, OutputOf } from '@septet/contract'
import { FIELDS, recordOf, SHOWN_FIELDS, type Gpu, type JudgedSample, type ShownField } from '@septet/domain'

import { isoOrNull, numberView } from '../answering/view.ts'

type Reading = OutputOf<typeof fleetGpu>['reading']
type Samples = ReadonlyMap<string, JudgedSample>

/**
 * What the newest samples say about a whole GPU. `hidden`: others hold a part of it, so what it takes in all is not told,
 * as theirs could be read from it. Without a GPU everything is unknown.
 */
export function readingView(gpu: Gpu | undefined, samples: Samples, hidden: boolean): Reading {
  const known = samplesOf(gpu, samples)
  const whole = gpu === undefined ? undefined : samples.get(gpu.id)
  const board = totalOf(whole)
  const instances = board === undefined ? sumOf(gpu, samples, totalOf) : undefined
  const first = <Value>(of: (sample: JudgedSample) => Value | undefined): Value | undefined =>
    known.map(of).find((value) => value !== undefined)
  const told = (value: number | undefined, about: About) =>
    numberView(hidden && about.ofAll ? undefined : value, {
      unit: about.unit,
      because: hidden && about.ofAll ? OTHERS : about.because,
      explain: { formula: about.formula, source: about.source, window: undefined },
    })
  return {
    at: isoOrNull(first(({ at }) => at)),
    memoryUsed: told(whole?.memoryUsed ?? sumOf(gpu, samples, ({ memoryUsed }) => memoryUsed), MEMORY_USED),
    memoryTotal: told(board ?? instances, instances === undefined ? MEMORY_TOTAL : OF_INSTANCES),
    memoryTotalOf: instances === undefined ? 'board' : 'instances',
    ...recordOf(SHOWN_FIELDS, (field) =>
      told(
        first((sample) => sample[field]),
        aboutOf(field),
      ),
    ),
    xid: first(({ xid }) => xid) ?? null,
  }
}

const OTHERS = 'Others hold a part of this GPU, so its totals are not shown.'

type About = {
  readonly unit: 'MiB' | 'W' | '°C'
  readonly formula: string
  readonly source: string
  readonly because: string
  /** Whether the parts of all holders are in it. */
  readonly ofAll: boolean
}

const absent = (metric: string): string => `The exporter does not tell ${metric} of this GPU.`

const MEMORY_USED: About = {
  unit: 'MiB',
  formula: 'framebuffer in use; for a partitioned GPU without its own series, the sum over its instances',
  source: 'DCGM_FI_DEV_FB_USED, newest sample',
  because: absent('the memory in use'),
  ofAll: true,
}
const MEMORY_TOTAL: About = {
  unit: 'MiB',
  formula: 'used + free + reserved framebuffer',
  source: 'DCGM_FI_DEV_FB_USED, _FREE and _RESERVED, newest sample',
  because: absent('the memory'),
  ofAll: false,
}
const OF_INSTANCES: About = {
  ...MEMORY_TOTAL,
  formula:
    'used + free + reserved framebuffer, summed over the MIG instances; the rest of the board is in none of them',
}

function aboutOf(field: ShownField): About {
  const { metrics, unit, shown } = FIELDS[field]
  return {
    unit,
    formula: shown.formula,
    source: `${metrics[0]}, newest sample`,
    because: absent(`the ${shown.label.toLowerCase()}`),
    ofAll: 'ofAll' in shown,
  }
}

/** The GPU's own sample first, then those of its parts: what is told of the board stands in each of them. */
const samplesOf = (gpu: Gpu | undefined, samples: Samples): readonly JudgedSample[] =>
  gpu === undefined
    ? []
    : [gpu.id, ...gpu.partitions.map(({ id }) => id)].flatMap((id) => {
        const sample = samples.get(id)
        return sample === undefined ? [] : [sample]
      })

const totalOf = (sample: JudgedSample | undefined): number | undefined =>
  sample?.memoryUsed === undefined || sample.memoryFree === undefined
    ? undefined
    : sample.memoryUsed + sample.memoryFree + (sample.memoryReserved ?? 0)

/** Over all instances of a cut GPU; undefined unless every one is known. */
function sumOf(
  gpu: Gpu | undefined,
  samples: Samples,
  of: (sample: JudgedSample) => number | undefined,
): number | undefined {
  if (gpu?.migEnabled !== true || gpu.partitions.length === 0) return undefined
  let sum = 0
  for (const { id } of gpu.partitions) {
    const sample = samples.get(id)
    const value = sample === undefined ? undefined : of(sample)
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}
