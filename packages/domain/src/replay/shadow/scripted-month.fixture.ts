import { NOTHING_MEASURED } from '../../analyze/field-values.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { HOUR_MS, instant, type Instant, ratio, seconds, usdPerGpuHour } from '../../units.ts'
import { type ActPolicy, DEFAULT_ACT_POLICY } from '../../act/policy/act-policy.ts'
import type { ShadowQuestion } from './shadow.ts'

/** A whole hour: 2026-06-01T00:00:00Z. */
const BEGAN = instant(1_780_272_000_000)
export const at = (hour: number): Instant => instant(BEGAN + hour * HOUR_MS)

/** What a workload does in an hour; `undefined`: it is not there. */
type Does = 'idle' | 'work' | 'unknown' | undefined

type Script = {
  readonly does: (hour: number) => Does
  readonly pods?: number
  readonly node?: string
  readonly workload?: string
  /** A whole hour, when it begins. */
  readonly from?: Instant
}

/** Hourly rows of a workload with one GPU to each of its pods. */
export function scripted(
  hours: number,
  { does, pods = 1, node = 'node-a', workload = CHAT, from = BEGAN }: Script,
): UsageRow[] {
  const [namespace = '', , name = ''] = workload.split('/')
  return Array.from({ length: hours }, (_, hour) => hour).flatMap((hour) => {
    const what = does(hour)
    if (what === undefined) return []
    return Array.from({ length: pods }, (_, index): UsageRow => {
      const gpu = `GPU-${node}-${name}-${index}`
      return {
        at: instant(from + hour * HOUR_MS),
        span: '1h',
        node,
        pool: '',
        gpu,
        partition: gpu,
        profile: '',
        model: 'T4',
        machine: '',
        kind: 'held',
        share: ratio(1),
        namespace,
        workload,
        pod: `${namespace}/${name}-${index}`,
        workloadClass: 'inference',
        present: seconds(SPAN_SECONDS['1h']),
        ...NOTHING_MEASURED,
        oversized: seconds(0),
        ...MEASURED[what],
      }
    })
  })
}

export const CHAT = 'lab/Deployment/chat'

const HOURLY = seconds(SPAN_SECONDS['1h'])
const MEASURED = {
  idle: { measured: HOURLY, idle: HOURLY, busy: ratio(0), busyPeak: ratio(0), reason: undefined },
  work: { measured: HOURLY, idle: seconds(0), busy: ratio(0.6), busyPeak: ratio(0.9), reason: undefined },
  unknown: { measured: seconds(0), idle: seconds(0), reason: 'no-telemetry' },
} as const

const ANY = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }

/** No limits, no minimum and no warning, so that a test names what it is about. */
export const OPEN_POLICY: ActPolicy = {
  ...DEFAULT_ACT_POLICY,
  auto: { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 1, resumedAt: {} },
  limits: { run: ANY, hour: ANY, day: ANY },
  minimum: { usdPerMonth: 0, gpuHoursPerMonth: 0, confidence: ratio(0) },
  warning: seconds(0),
  coolDown: seconds(0),
}

/** A question about scripted rows; all hours were recorded, unless told otherwise. */
export const asking = (
  hours: number,
  rows: readonly UsageRow[],
  change: Partial<ShadowQuestion> = {},
): ShadowQuestion => ({
  cluster: 'lab',
  class: 'reclaim-idle',
  window: { from: BEGAN, to: at(hours) },
  rows,
  recorded: Array.from({ length: hours }, (_, hour) => at(hour)),
  policy: OPEN_POLICY,
  rules: { analysis: DEFAULT_POLICY, plans: { maxDisplaced: 40, protectedNamespaces: [] } },
  prices: [
    {
      id: 't4',
      cluster: undefined,
      pool: undefined,
      model: 'T4',
      price: usdPerGpuHour(2),
      source: 'drawn',
      asOf: BEGAN,
      origin: 'operator',
    },
  ],
  today: { nodes: [], pods: [] },
  labels: new Map(),
  ...change,
})
