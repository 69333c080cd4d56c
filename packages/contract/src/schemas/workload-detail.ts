import { z } from 'zod'

import { told, ClusterInput, FigureSchema, InstantText, RangeInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'
import { WorkloadRowSchema } from './workloads.ts'

const OwnerSchema = z.object({
  kind: z.string(),
  name: z.string(),
  createdAt: InstantText.nullable(),
  byRule: z.boolean().describe('derived from a naming rule, because the object in between could not be read'),
})

const PodSchema = z.object({
  name: z.string(),
  node: z.string().nullable(),
  phase: z.string(),
  createdAt: InstantText,
  startedAt: InstantText.nullable(),
  owner: z.string().nullable().describe('Kind/name of its owner'),
  holds: z.array(z.string()).describe('"3g.40gb on GPU 2", "GPU 0", "1/4 of GPU 3"'),
  waiting: z.object({ reason: z.string(), message: z.string() }).nullable(),
})

const EventSchema = z.object({
  at: InstantText.describe('when it was last seen'),
  firstAt: InstantText,
  type: z.enum(['Normal', 'Warning']),
  reason: z.string(),
  message: z.string(),
  count: z.number().int(),
  object: z.object({ kind: z.string(), name: z.string() }),
  source: z.string(),
})

const Values = z.array(z.number().nullable())

/** What was used over a time: every list has one value per bucket, and a gap is null. */
export const UseSchema = z.object({
  window: WindowSchema,
  step: z.number().int().describe('bucket length in seconds'),
  at: z.array(z.number().int()).describe('bucket start times, seconds since 1970'),
  busy: Values.describe('average utilization of what it held, 0–1'),
  busyPeak: Values.describe('highest single sample, 0–1'),
  memoryPeak: Values.describe('MiB, highest among its pods'),
  held: Values.describe('GPU-equivalents'),
})

const LimitsSchema = z.object({
  model: z.string(),
  profile: z.string().describe('empty for a whole GPU'),
  share: z.number().describe('compute, as a fraction of a GPU'),
  memory: z.number().nullable().describe('MiB; null: unknown'),
})

const Peaks = z.array(z.object({ at: InstantText, peak: z.number() }))

/** Which size one of its pods needs, and what that is concluded from. */
export const SizeSchema = z.object({
  verdict: z.enum(['fits-smaller', 'keep', 'unknown']),
  because: z.string().nullable(),
  level: z.string().describe('headroom for its class'),
  targetUtilization: z.number(),
  memoryMargin: z.number(),
  held: LimitsSchema,
  proposed: LimitsSchema.nullable(),
  overrun: z
    .object({ memory: z.number(), compute: z.number().nullable(), horizon: z.number().describe('seconds ahead') })
    .nullable()
    .describe('probability that the proposed size is too small at least once'),
  confidence: z.number().nullable(),
  evidence: z
    .object({
      window: WindowSchema,
      samples: z.number().int(),
      coverage: z.number(),
      activity: z.enum(['steady', 'bursty', 'growing']),
      memoryPeak: z.number().nullable().describe('MiB'),
      computePeak: z.number().nullable().describe('GPUs'),
      memory: Peaks.describe('highest memory per block, MiB'),
      compute: Peaks.describe('highest sustained compute per block, GPUs'),
    })
    .nullable(),
})

/** Why it waits and what would start it. */
const WaitSchema = z.object({
  reason: z.string(),
  message: z.string().describe("the scheduler's or Kueue's own words"),
  because: z.array(z.string()).describe('what keeps its first waiting pod from starting, the nearest first'),
  unknown: z.array(z.string()).describe('what could not be checked, and why'),
  ways: z
    .array(
      z.object({
        kind: z.string(),
        sentence: z.string(),
        patch: z
          .object({ name: z.string().describe('a file name'), text: z.string().describe('a JSON patch, as YAML') })
          .nullable()
          .describe(
            'the change to the ClusterQueue manifest that admits the work, if GPUs are free for it; otherwise null',
          ),
      }),
    )
    .describe('what would start it'),
  withheld: z.string().nullable().describe('why the answer leaves out the cluster’s GPUs'),
})

export const workloadsGet = operation(ROUTES.workloadsGet, {
  title: 'One GPU workload',
  description:
    'Everything known about one workload: pods and what they hold, owners, labels, Kubernetes events, usage and cost over the range, findings and recommendations about it, the size it needs with the evidence, and why it waits with what would start it. A caller limited to namespaces may ask about their namespaces’ workloads.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    id: z.string().min(1).max(600).describe('namespace/Kind/name, as returned by workloads.list'),
  }),
  output: named('WorkloadDetail', {
    ...told,
    workload: WorkloadRowSchema,
    createdAt: InstantText.nullable(),
    labels: z.record(z.string(), z.string()).describe('labels all its pods have'),
    owners: z.array(OwnerSchema).describe("from its pods' own owner up to the topmost, of the first pod"),
    pods: z.array(PodSchema),
    podCount: z.number().int(),
    gpus: z.array(z.object({ node: z.string(), gpu: GpuViewSchema })).describe('GPUs it holds a part of'),
    gpuCount: z.number().int(),
    events: z.array(EventSchema).describe('newest first'),
    eventsMissing: z.string().nullable().describe('why there may be more events'),
    use: UseSchema.nullable().describe('null if the range has no data for it'),
    hours: FigureSchema,
    idleHours: FigureSchema,
    findings: z.array(
      z.object({ id: z.string(), kind: z.string(), message: z.string(), costPerMonth: z.number().nullable() }),
    ),
    recommendations: z.array(z.object({ id: z.string(), kind: z.string(), title: z.string(), message: z.string() })),
    size: SizeSchema.nullable(),
    sizeUnknown: z.string().nullable().describe('why no size can be given'),
    wait: WaitSchema.nullable().describe('null while it is not waiting'),
  }),
})
