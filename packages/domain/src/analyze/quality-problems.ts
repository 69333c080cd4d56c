import type { KnownNodes } from '../cluster/node-of-device.ts'
import type { Problem } from '../cluster/node.ts'
import { compareText } from '../units.ts'
import { type ExpectedNode, resourceProfile } from './quality-expected.ts'
import { type CounterState, deviceKey, type QualityMemory } from './quality-memory.ts'
import type { JudgedSample, QualityReason, TelemetryReading } from './sample.ts'

type Input = {
  readonly samples: readonly JudgedSample[]
  readonly reading: TelemetryReading
  readonly expected: ReadonlyMap<string, ExpectedNode> | undefined
  readonly known: KnownNodes | undefined
  readonly memory: QualityMemory
  readonly counters: ReadonlyMap<string, CounterState>
  /** Devices whose busy is GPU_UTIL. */
  readonly coarse: ReadonlySet<string>
}

/** Above so many nodes with the same trouble, one sentence speaks for all of them. */
const NODES_NAMED_AT_MOST = 10

/** What is wrong with the telemetry, by kind and node: what failed, what still works, what to do. */
export function qualityProblems(input: Input): Problem[] {
  const found = [...deviceTroubles(input), ...nodeTroubles(input)]
  return [...Map.groupBy(found, ({ code }) => code)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([code, troubles]) => sentences(code, troubles))
}

/** One kind of trouble at one device or node. */
type Trouble = { readonly code: Code; readonly node: string; readonly what: string }

const ADVICE = {
  'stuck-at-zero':
    'Profiling counters stay at 0 while the GPU visibly works; its busy is unknown until they move. Restart the exporter, or nvidia-hostengine where it runs.',
  'busy-vanished':
    'A busy metric is no longer exported; other fields are still read. It may have been renamed or removed in the counters file (DCGM_FI_PROF_GR_ENGINE_ACTIVE and DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO are both read), or another profiler such as Nsight holds the counters.',
  'busy-not-exported':
    'No busy metric is exported; memory, power and holders are still read. Add DCGM_FI_PROF_GR_ENGINE_ACTIVE to the counters file, and check that the image has the profiling module.',
  'out-of-range': 'The exported busy is not a number between 0 and 1 and is not used. Update dcgm-exporter.',
  'not-attributable':
    'GPUs are shared and the exporter does not tell their pods apart; the whole device is still measured. Where the exporter allows it set KUBERNETES_VIRTUAL_GPUS=true.',
  'replicas-alike':
    'Each pod on a shared GPU is told the value of the whole GPU, which is still measured: KUBERNETES_VIRTUAL_GPUS only gives each a series of its own. To tell pods apart dcgm-exporter must collect utilization per process, which releases before its pull request 594 cannot.',
  'missing-instance':
    'MIG devices are not exported; the others of the node are still measured. Restart the exporter, which reads the layout when it starts.',
  'gpu-vanished':
    'A GPU is no longer exported; the others of the node are still measured. It may have fallen off the bus: check the node’s kernel log for an XID, and its allocatable GPUs.',
  'stale-target':
    'The exporter is not responding; allocation and cost are unaffected. Check the exporter’s pod on that node.',
  'clock-skew':
    'Samples are dated in the future or long past and are not used. Synchronize the clocks of the node, the metrics engine and Septet.',
  'coarse-busy':
    'The exporter has no profiling counters for this model, so busy is GPU_UTIL, the share of time in which any kernel ran: read it as an upper bound.',
  'no-telemetry':
    'No exporter reports GPUs of this node; allocation and cost are unaffected. Check that dcgm-exporter runs there.',
} as const

type Code = keyof typeof ADVICE

function deviceTroubles(input: Input): Trouble[] {
  return input.samples.flatMap((sample) => {
    // Hosts that are no nodes are told of the snapshot.
    const isPlaced = sample.node !== '' && (input.known === undefined || input.known.named(sample.node) !== undefined)
    const code = isPlaced ? codeOf(sample, input) : undefined
    return code === undefined ? [] : [{ code, node: sample.node, what: nameOf(sample) }]
  })
}

const nameOf = ({ gpu, instance }: JudgedSample): string =>
  instance === undefined ? gpu : `${gpu} instance ${instance.id} (${instance.profile})`

function codeOf(sample: JudgedSample, { memory, counters, coarse }: Input): Code | undefined {
  const { quality } = sample
  const key = deviceKey(sample)
  if (quality.kind === 'measured') return coarse.has(key) ? 'coarse-busy' : undefined
  // A single doubtful 0 may be bad timing: it is not used, and not reported either.
  if (quality.reason === 'stuck-at-zero' && counters.get(key)?.stuck !== true) return undefined
  if (quality.reason === 'not-exported' && memory.devices.get(key)?.busySeen !== undefined) return 'busy-vanished'
  return quality.reason === 'not-attributable' ? notToldApart(sample) : CODES[quality.reason]
}

const notToldApart = ({ vgpu }: JudgedSample): Code => (vgpu === undefined ? 'not-attributable' : 'replicas-alike')

const CODES = {
  'no-telemetry': 'gpu-vanished',
  'not-exported': 'busy-not-exported',
  'stuck-at-zero': 'stuck-at-zero',
  'missing-instance': 'missing-instance',
  // The connector that read both exporters names them.
  'duplicated-series': undefined,
  'stale-target': 'stale-target',
  'not-attributable': 'not-attributable',
  // Told of the snapshot, which knows who holds what.
  'holders-inferred': undefined,
  'not-recorded': undefined,
  'out-of-range': 'out-of-range',
  'clock-skew': 'clock-skew',
} satisfies Record<QualityReason, Code | undefined>

function nodeTroubles({ samples, reading, expected }: Input): Trouble[] {
  if (expected === undefined) return []
  const byNode = Map.groupBy(samples, ({ node }) => node)
  const lost = new Set(reading.targets.filter(({ kind }) => kind !== 'up').map(({ node }) => node))
  return [...expected.values()].flatMap((node): Trouble[] => {
    const told = byNode.get(node.node) ?? []
    const where = { node: node.node, what: node.node }
    if (told.length === 0 && node.gpus > 0 && !node.forVms)
      return [{ code: lost.has(node.node) ? 'stale-target' : 'no-telemetry', ...where }]
    const shared = node.replicas > 1 && held(told) && told.every(({ vgpu }) => vgpu === undefined)
    return [...(shared ? [{ code: 'not-attributable', ...where } as const] : []), ...missingInstances(node, told)]
  })
}

const held = (told: readonly JudgedSample[]): boolean => told.some(({ holder }) => holder !== undefined)

/** Instances that nobody has ever seen can only be counted. */
function missingInstances({ node, instances }: ExpectedNode, told: readonly JudgedSample[]): Trouble[] {
  return [...instances].flatMap(([profile, count]): Trouble[] => {
    const seen = told.filter(
      ({ instance, vgpu }) =>
        vgpu === undefined && instance !== undefined && resourceProfile(instance.profile) === profile,
    )
    if (seen.length >= count) return []
    return [{ code: 'missing-instance', node, what: `${count - seen.length} of ${count} ${profile}` }]
  })
}

function sentences(kind: Code, troubles: readonly Trouble[]): Problem[] {
  const code = kind === 'replicas-alike' ? 'not-attributable' : kind
  const nodes = Map.groupBy(troubles, ({ node }) => node)
  if (nodes.size > NODES_NAMED_AT_MOST) {
    const some = [...nodes.keys()].toSorted(compareText).slice(0, 3).join(', ')
    return [{ code, message: `${nodes.size} nodes (${some}, …): ${ADVICE[kind]}`, object: 'telemetry' }]
  }
  return [...nodes].map(([node, [first, ...more]]) => {
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    const what = first === undefined || first.what === node ? '' : `, ${first.what}${others}`
    return { code, message: `Node ${node}${what}: ${ADVICE[kind]}`, object: `node/${node}` }
  })
}
