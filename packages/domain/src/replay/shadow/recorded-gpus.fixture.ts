import { NOTHING_MEASURED } from '../../analyze/field-values.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { HOUR_MS, type Instant, instant, mib, ratio, seconds } from '../../units.ts'
import { at as scriptHour } from './scripted-month.fixture.ts'

/** What one part of a GPU was in one hour. */
export type RecordedPart = {
  /** Empty: the whole GPU. */
  readonly profile?: string
  readonly share?: number
  /** `namespace/Kind/name`; left out: nobody held it. */
  readonly workload?: string
  readonly pod?: string
  readonly busy?: number
  readonly memory?: number
  /** Nothing of it was measured. */
  readonly dark?: boolean
}

type Recorded = {
  readonly gpu: string
  readonly node: string
  readonly model?: string
  readonly pool?: string
  /** When hour 0 begins. */
  readonly from?: Instant
  /** Its parts in an hour; undefined: the GPU is not there. */
  readonly parts: (hour: number) => readonly RecordedPart[] | undefined
}

const SPAN = seconds(SPAN_SECONDS['1h'])

/** Hourly rows of all that one GPU was cut into, held or free. */
export const recordedGpu = (
  hours: number,
  { gpu, node, model = 'A100-SXM4-40GB', pool = 'gpus', from = scriptHour(0), parts }: Recorded,
): UsageRow[] =>
  Array.from({ length: hours }, (_, hour) => hour).flatMap((hour) =>
    (parts(hour) ?? []).map((part, order): UsageRow => {
      const { profile = '', share = 1 } = part
      return {
        at: instant(from + hour * HOUR_MS),
        span: '1h',
        node,
        pool,
        gpu,
        partition: profile === '' ? gpu : `${gpu}/gi-${order}`,
        profile,
        model,
        machine: '',
        share: ratio(share),
        present: SPAN,
        oversized: seconds(0),
        ...holderOf(part),
        ...NOTHING_MEASURED,
        ...measuredOf(part),
      }
    }),
  )

type Held = Pick<UsageRow, 'kind' | 'namespace' | 'workload' | 'pod' | 'workloadClass'>
const NOBODY: Held = { kind: 'free', namespace: '', workload: '', pod: '', workloadClass: '' }

function holderOf({ workload, pod }: RecordedPart): Held {
  if (workload === undefined) return NOBODY
  const [namespace = '', , name = ''] = workload.split('/')
  return { kind: 'held', namespace, workload, pod: `${namespace}/${pod ?? name}`, workloadClass: 'training' }
}

function measuredOf({ workload, busy = 0, memory = 1024, dark = false }: RecordedPart) {
  if (dark) return { measured: seconds(0), idle: seconds(0), reason: 'no-telemetry' } as const
  return {
    measured: SPAN,
    idle: workload !== undefined && busy <= 0.05 ? SPAN : seconds(0),
    busy: ratio(busy),
    busyPeak: ratio(busy),
    memoryUsed: mib(memory),
    memoryPeak: mib(memory),
    reason: undefined,
  }
}

/** A GPU that nobody holds, cut into these profiles. */
export const cutInto = (profiles: readonly (readonly [profile: string, share: number])[]): RecordedPart[] =>
  profiles.map(([profile, share]) => ({ profile, share }))
