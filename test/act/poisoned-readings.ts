import { foldText } from '@septet/connectors/testing/exporter-text'
import {
  addReading,
  assembleSnapshot,
  bucketStart,
  classOf,
  DEFAULT_ACT_POLICY,
  DEFAULT_POLICY,
  expectedOf,
  instant,
  judgeReading,
  judgeRun,
  markIdle,
  openBucket,
  recommend,
  rowsOf,
  seconds,
  type ActionRun,
  type ActPolicy,
  type ClusterSnapshot,
  type Inventory,
  type JudgedSample,
  type Recommendation,
  type UsageRow,
} from '@septet/domain'
import { AUTO_CLASSES } from '@septet/domain/action-classes'
import {
  actQuestion,
  bySeptet,
  draw,
  DRAWN_AT,
  ownedPods,
  recommendSources,
  withRequests,
} from '@septet/domain/testing'

import { randomFrom } from '../../bench/random-from.ts'

/** What exporters say of one GPU at one moment. A series is left out where its value is undefined. */
type Said = {
  readonly node: string
  readonly gpu: string
  readonly index: number
  readonly pod: string
  readonly model: string
  readonly labels?: string
  readonly values: Readonly<Record<string, number | undefined>>
  /** Milliseconds since the epoch, where the exporter dates its series. */
  readonly at?: number
}
type Lie = (said: readonly Said[], step: number) => readonly Said[]

const MODEL = 'NVIDIA A100-SXM4-40GB'
const NAMES = ['one', 'two', 'three', 'four']
/** Each GPU is held by work of its own, which can be stopped and taken back. */
const CLUSTER: ClusterSnapshot = NAMES.reduce(
  (cluster, name) => ownedPods(cluster, [`lab/${name}`], { name }),
  withRequests(draw`
    node-a  A100-SXM4-40GB  [lab/one]
    node-a  A100-SXM4-40GB  [lab/two]
    node-b  A100-SXM4-40GB  [lab/three]
    node-b  A100-SXM4-40GB  [lab/four]`),
)

export const BUSY = { busy: 0.7, power: 330 }
export const RESTING = { busy: 0, power: 60 }

/** Everything that exporters say while all work is as busy as that. */
const truth = ({ busy, power }: typeof BUSY): readonly Said[] =>
  CLUSTER.nodes.flatMap(({ name, gpus }) =>
    gpus.map(({ id, index }) => ({
      node: name,
      gpu: id,
      index,
      model: MODEL,
      pod: CLUSTER.allocations.find(({ partition }) => partition === id)?.pod ?? '',
      values: {
        DCGM_FI_PROF_GR_ENGINE_ACTIVE: busy,
        DCGM_FI_DEV_GPU_UTIL: Math.round(busy * 140),
        DCGM_FI_PROF_DRAM_ACTIVE: busy / 2,
        DCGM_FI_DEV_FB_USED: 30_000,
        DCGM_FI_DEV_FB_FREE: 10_000,
        DCGM_FI_DEV_POWER_USAGE: power,
      },
    })),
  )

const textOf = (said: readonly Said[]): string =>
  said
    .flatMap(({ node, gpu, index, pod, model, labels = '', values, at }) => {
      const [namespace = '', name = ''] = pod.split('/')
      const own = `gpu="${index}",UUID="${gpu}",modelName="${model}",Hostname="${node}",namespace="${namespace}",pod="${name}",container="main"${labels}`
      return Object.entries(values).flatMap(([metric, value]) =>
        value === undefined ? [] : `${metric}{${own}} ${value}${at === undefined ? '' : ` ${at}`}\n`,
      )
    })
    .join('')

const STEP_MS = 300_000
/** A day and some hours: idle work is not to be stopped before a day has passed. */
const STEPS = (30 * 3_600_000) / STEP_MS

/** What the Kubernetes API says; which GPU a pod holds is known from exporters alone. */
const INVENTORY: Inventory = {
  ...CLUSTER,
  nodes: CLUSTER.nodes.map(({ gpus, ...node }) => ({
    ...node,
    gpuCount: gpus.length,
    reportedProfiles: undefined,
    devices: [],
  })),
}

/** What Septet would write by itself with every class on auto, after a day of such readings: the titles of its plans. */
export function writesAfter(what: typeof BUSY, lie: Lie = (said) => said): readonly string[] {
  const { rows, samples, snapshot } = dayOf(what, lie)
  const advised = recommend(recommendSources(snapshot, { rows }))
  return advised.recommendations.flatMap((advice) => {
    const run = runOf(advice)
    const question = { policy: AUTO, samples, approval: bySeptet(run) }
    return judgeRun(actQuestion(run, snapshot, question)).length === 0 ? [advice.title] : []
  })
}

type Day = {
  readonly rows: readonly UsageRow[]
  readonly samples: readonly JudgedSample[]
  readonly snapshot: ClusterSnapshot
}

/** As a pipeline reads, judges, assembles and sums up. */
function dayOf(what: typeof BUSY, lie: Lie): Day {
  const expected = expectedOf(INVENTORY)
  const rows: UsageRow[] = []
  let memory: Parameters<typeof judgeReading>[0]['memory']
  let samples: readonly JudgedSample[] = []
  let snapshot: ClusterSnapshot | undefined
  for (let step = 0; step < STEPS; step += 1) {
    const now = instant(DRAWN_AT - (STEPS - 1 - step) * STEP_MS)
    const folded = foldText([textOf(lie(truth(what), step))], now)
    ;({ memory, samples } = judgeReading({ reading: { at: now, ...folded, targets: [] }, expected, memory, now }))
    snapshot = assembleSnapshot({ cluster: CLUSTER.cluster, inventory: INVENTORY, samples, previous: snapshot, now })
    const bucket = openBucket(bucketStart(now, '5m'))
    addReading(bucket, { at: bucket.at, interval: seconds(STEP_MS / 1000), snapshot, samples })
    rows.push(...rowsOf(bucket))
  }
  return { rows: markIdle(rows, DEFAULT_POLICY.idle), samples, snapshot: snapshot ?? CLUSTER }
}

const AUTO: ActPolicy = {
  ...DEFAULT_ACT_POLICY,
  modes: {
    ...DEFAULT_ACT_POLICY.modes,
    'reclaim-idle': 'auto',
    'right-size': 'auto',
    'fewer-gpus': 'auto',
    'remove-node': 'auto',
    repartition: 'auto',
    share: 'auto',
  },
  auto: { ...DEFAULT_ACT_POLICY.auto, classes: AUTO_CLASSES },
}

const runOf = (advice: Recommendation): ActionRun => ({
  id: advice.id,
  cluster: CLUSTER.cluster,
  class: classOf({ class: advice.kind, plan: advice.plan }),
  object: advice.object,
  title: advice.title,
  cause: { kind: 'advice', recommendation: advice },
  plan: advice.plan,
  digest: advice.plan.id,
  proposedAt: DRAWN_AT,
  proposedBy: 'septet',
  proposer: 'septet',
  transitions: [{ number: 1, at: DRAWN_AT, state: 'proposed', by: 'septet', because: advice.message }],
})

const BUSY_METRIC = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'
const withValues = (said: Said, values: Said['values']): Said => ({ ...said, values: { ...said.values, ...values } })
const IMPOSSIBLE = [-1, -0.001, 1.5, 42, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308]

/** Ways in which metrics and labels lie, each drawn anew for every input. All of them make busy work look idle, or try to. */
const LIES: Readonly<Record<string, (random: () => number) => Lie>> = {
  'impossible values': (random) => {
    const values = IMPOSSIBLE.toSorted(() => random() - 0.5)
    return (said, step) =>
      said.map((each) => withValues(each, { [BUSY_METRIC]: values[step % values.length], DCGM_FI_DEV_FB_USED: -1 }))
  },
  'zeros beside a GPU that works': (random) => {
    const witnesses = ['DCGM_FI_DEV_GPU_UTIL', 'DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_DEV_POWER_USAGE']
    const witness = witnesses[Math.floor(random() * witnesses.length)] ?? BUSY_METRIC
    const silent = {
      DCGM_FI_DEV_GPU_UTIL: undefined,
      DCGM_FI_PROF_DRAM_ACTIVE: undefined,
      DCGM_FI_DEV_POWER_USAGE: undefined,
    }
    return (said) =>
      said.map((each) => withValues(each, { ...silent, [witness]: each.values[witness], [BUSY_METRIC]: 0 }))
  },
  'zeros now and then': (random) => {
    const every = 2 + Math.floor(random() * 5)
    return (said, step) => said.map((each) => (step % every === 0 ? each : withValues(each, { [BUSY_METRIC]: 0 })))
  },
  'duplicated series that rest': (random) => {
    const before = random() < 0.5
    return (said) => {
      const resting = said.map((each) => withValues(each, { [BUSY_METRIC]: 0, DCGM_FI_DEV_GPU_UTIL: 0 }))
      return before ? [...resting, ...said] : [...said, ...resting]
    }
  },
  'a second exporter with UUIDs of other GPUs, at rest': (random) => {
    const suffix = Math.floor(random() * 1e9)
    const other = (each: Said): Said => ({ ...withValues(each, ALL_REST), gpu: `GPU-${suffix}-${each.gpu}` })
    return random() < 0.5 ? (said) => [...said, ...said.map(other)] : (said) => [...said.map(other), ...said]
  },
  'a second exporter with names of other nodes, at rest': (random) => {
    const node = `elsewhere-${Math.floor(random() * 1e9)}`
    const other = (each: Said): Said => ({ ...withValues(each, ALL_REST), node, gpu: `${each.gpu}-${node}` })
    return (said) => [...said, ...said.map(other)]
  },
  'other UUIDs and zeros beside a GPU that works': (random) => {
    const suffix = Math.floor(random() * 1e9)
    return (said) =>
      said.map((each) => ({ ...withValues(each, { [BUSY_METRIC]: 0 }), gpu: `GPU-${suffix}-${each.gpu}` }))
  },
  'pods swapped between GPUs': (random) => {
    const by = 1 + Math.floor(random() * (NAMES.length - 1))
    return (said) => said.map((each, index) => ({ ...each, pod: said[(index + by) % said.length]?.pod ?? '' }))
  },
  'UUIDs swapped between GPUs': (random) => {
    const by = 1 + Math.floor(random() * (NAMES.length - 1))
    return (said) => said.map((each, index) => ({ ...each, gpu: said[(index + by) % said.length]?.gpu ?? '' }))
  },
  'instances of a GPU that is not cut': (random) => {
    const id = 1 + Math.floor(random() * 14)
    const labels = `,GPU_I_ID="${id}",GPU_I_PROFILE="1g.5gb"`
    return (said) => said.map((each) => ({ ...withValues(each, ALL_REST), labels }))
  },
  'a time that has passed or is to come': (random) => {
    const off = (random() < 0.5 ? -1 : 1) * (3_600_000 + random() * 1e10)
    return (said, step) =>
      said.map((each) => ({
        ...withValues(each, ALL_REST),
        at: Math.round(DRAWN_AT - (STEPS - 1 - step) * STEP_MS + off),
      }))
  },
  'series that are left out': (random) => {
    const from = Math.floor(random() * STEPS)
    return (said, step) =>
      step < from
        ? said
        : said.flatMap((each, index) =>
            index % 2 === 0 ? [] : withValues(each, { [BUSY_METRIC]: undefined, DCGM_FI_DEV_GPU_UTIL: 0 }),
          )
  },
  'a model that there is not': (random) => {
    const model = `NVIDIA ${Math.floor(random() * 1e6)}`
    return (said) => said.map((each) => ({ ...withValues(each, { [BUSY_METRIC]: 0 }), model }))
  },
}
const ALL_REST = { [BUSY_METRIC]: 0, DCGM_FI_DEV_GPU_UTIL: 0, DCGM_FI_PROF_DRAM_ACTIVE: 0, DCGM_FI_DEV_POWER_USAGE: 60 }

/** Input number `seed`: which lie it tells, and what would be written because of it. */
export function poisoned(seed: number): { readonly lie: string; readonly writes: readonly string[] } {
  const names = Object.keys(LIES)
  const lie = names[seed % names.length] ?? ''
  return { lie, writes: writesAfter(BUSY, LIES[lie]?.(randomFrom(seed))) }
}
