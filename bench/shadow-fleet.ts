import { mib, NOTHING_MEASURED, ratio, seconds, type Instant, type UsageRow } from '@septet/domain'

const NODES = 1250
const PER_NODE = 8
export const FLEET_GPUS = NODES * PER_NODE

/** What one device does in an hour: who holds it, how busy it is, and what of its memory is used. */
type Doing = {
  readonly workload: string
  readonly class: UsageRow['workloadClass']
  readonly busy: number
  readonly memory: number
}
type Part = { readonly profile: string; readonly share: number; readonly doing: Doing | undefined }

/**
 * An hour of a fleet of eight GPUs a node: of each twenty nodes eleven train and change their work every day, three hold
 * services that need a fraction of their GPUs, two services of four replicas that one could do, two work that does nothing,
 * one stands empty, and one is cut into slices of which half are held.
 */
export function hourOfFleet(hour: number, at: Instant): UsageRow[] {
  const rows: UsageRow[] = []
  for (let index = 0; index < FLEET_GPUS; index += 1) {
    const node = Math.floor(index / PER_NODE)
    const gpu = `GPU-5b2c8f1e-${String(index).padStart(5, '0')}-4a1d-9c3e-d0a1b2c3d4e5`
    partsOf(index, node, hour).forEach((part, order) => rows.push(rowOf(part, { gpu, node, order, at })))
  }
  return rows
}

function partsOf(index: number, node: number, hour: number): readonly Part[] {
  const kind = node % 20
  const noise = ((index * 2_654_435_761 + hour * 40_503) % 1000) / 1000
  if (kind === 19) return cutParts(index, noise)
  return [{ profile: '', share: 1, doing: wholeDoing({ index, node, kind, hour, noise }) }]
}

type Where = {
  readonly index: number
  readonly node: number
  readonly kind: number
  readonly hour: number
  readonly noise: number
}

function wholeDoing({ index, node, kind, hour, noise }: Where): Doing | undefined {
  const team = `team-${node % 100}`
  if (kind < 11) {
    const job = `${team}/Job/train-${node}-${Math.floor(hour / 24)}`
    return { workload: job, class: 'training', busy: 0.6 + 0.35 * noise, memory: 60_000 + 10_000 * noise }
  }
  if (kind < 14) {
    const service = `${team}/Deployment/serve-${index}`
    return { workload: service, class: 'inference', busy: 0.04 + 0.12 * noise, memory: 5000 + 500 * noise }
  }
  if (kind < 16) {
    const service = `${team}/Deployment/replicas-${Math.floor(index / 4)}`
    return { workload: service, class: 'inference', busy: 0.06 + 0.1 * noise, memory: 60_000 }
  }
  // Every third of these works for an hour a day.
  const isUsed = index % 3 === 0 && hour % 24 === index % 24
  const idle = { workload: `${team}/Deployment/idle-${index}`, class: 'inference' } as const
  return kind < 18 ? { ...idle, busy: isUsed ? 0.7 : 0, memory: 20_000 } : undefined
}

const SLICES = [
  ['3g.40gb', 3 / 7],
  ['2g.20gb', 2 / 7],
  ['1g.10gb', 1 / 7],
] as const

const cutParts = (index: number, noise: number): readonly Part[] =>
  SLICES.map(([profile, share], order) => ({
    profile,
    share,
    doing:
      (index + order) % 2 === 0
        ? undefined
        : {
            workload: `team-${index % 100}/Deployment/slice-${index}-${order}`,
            class: 'inference',
            busy: 0.2 + 0.6 * noise,
            memory: 6000,
          },
  }))

type Place = { readonly gpu: string; readonly node: number; readonly order: number; readonly at: Instant }

const HOUR = seconds(3600)

function rowOf({ profile, share, doing }: Part, { gpu, node, order, at }: Place): UsageRow {
  return {
    at,
    span: '1h',
    node: `gpu-node-${String(node).padStart(4, '0')}`,
    pool: `pool-${node % 5}`,
    gpu,
    partition: profile === '' ? gpu : `${gpu}/gi-${order}`,
    profile,
    model: 'A100-SXM4-80GB',
    share: ratio(share),
    present: HOUR,
    measured: HOUR,
    reason: undefined,
    ...NOTHING_MEASURED,
    ...holderOf(doing, gpu),
    ...measuredOf(doing),
  }
}

function holderOf(
  doing: Doing | undefined,
  gpu: string,
): Pick<UsageRow, 'kind' | 'namespace' | 'workload' | 'pod' | 'workloadClass'> {
  if (doing === undefined) return { kind: 'free', namespace: '', workload: '', pod: '', workloadClass: '' }
  const { workload, class: workloadClass } = doing
  const [namespace = '', , name = ''] = workload.split('/')
  return { kind: 'held', namespace, workload, pod: `${namespace}/${name}-${gpu.slice(13, 18)}`, workloadClass }
}

function measuredOf(doing: Doing | undefined) {
  const { busy = 0, memory = 0 } = doing ?? {}
  return {
    idle: doing !== undefined && busy <= 0.05 ? HOUR : seconds(0),
    busy: ratio(busy),
    busyPeak: ratio(Math.min(1, busy * 1.2)),
    memoryUsed: mib(memory),
    memoryPeak: mib(memory),
  }
}
