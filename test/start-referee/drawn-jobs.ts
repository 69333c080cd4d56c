import { WHOLE_GPU_RESOURCE, type ClusterSnapshot } from '@septet/domain'

/** A workload whose pods are all alike, as somebody might submit it. */
export type DrawnJob = {
  readonly namespace: string
  readonly count: number
  readonly labels: Readonly<Record<string, string>>
  readonly spec: object
}

/** Namespaces that the referee makes: one without limits, one under a ResourceQuota. */
export const FREE = 'referee-free'
export const LIMITED = 'referee-limited'
export const OWN_NAMESPACES = [FREE, LIMITED] as const

export const HOST = 'kubernetes.io/hostname'
export const ZONE = 'topology.kubernetes.io/zone'
/** A label that the referee puts on some nodes. */
export const TIER = 'referee/tier'

/** Draws from lists; equal seeds give equal draws. */
export type Draws = {
  readonly random: () => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly chance: (share: number) => boolean
}

export const drawsFrom = (random: () => number): Draws => ({
  random,
  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(random() * list.length)]
    if (found === undefined) throw new Error('nothing to draw from')
    return found
  },
  chance: (share) => random() < share,
})

/** A job for what some node offers, or could, under rules that some nodes meet: every filter of the scheduler comes up. */
export function drawJob(draws: Draws, { nodes }: ClusterSnapshot, number: number): DrawnJob {
  const { pick, chance } = draws
  const labels: Record<string, string> = { app: chance(0.15) ? 'shared' : `drawn-${number}` }
  // Half of them are easy, so that there is about as much to say yes to as no.
  const isPlain = chance(0.45)
  const devices = drawDevices(draws, nodes, isPlain)
  return {
    namespace: chance(0.25) ? LIMITED : FREE,
    count: pick(isPlain ? [1, 1, 2] : [1, 1, 1, 2, 3, 8]),
    labels,
    spec: {
      preemptionPolicy: 'Never',
      // Of the demo's classes, or one that is not there.
      ...(chance(0.1) ? { priorityClassName: pick(['batch', 'production', 'urgent']) } : {}),
      ...(isPlain ? {} : nodeRules(draws, nodes, labels)),
      tolerations: chance(isPlain ? 0.7 : 0.4) ? tolerations(draws, nodes) : [],
      ...(chance(isPlain ? 0.05 : 0.25) ? { topologySpreadConstraints: spreadRules(draws, labels) } : {}),
      ...containers(draws, devices, isPlain),
    },
  }
}

/** Devices that some node offers, or whole GPUs. */
function drawDevices({ pick }: Draws, nodes: ClusterSnapshot['nodes'], isPlain: boolean): Labels {
  const resource = pick([...Object.keys(pick(nodes).allocatable), WHOLE_GPU_RESOURCE])
  const isWhole = resource === WHOLE_GPU_RESOURCE && !isPlain
  return { [resource]: String(pick(isWhole ? [1, 1, 2, 4, 8] : [1, 1, 1, 1, 2])) }
}

function nodeRules(draws: Draws, nodes: ClusterSnapshot['nodes'], labels: Labels): object {
  const { pick, chance } = draws
  const affinity = {
    ...(chance(0.2) ? { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: nodeTerms(draws, nodes) } } } : {}),
    ...(chance(0.15) ? { podAntiAffinity: { [REQUIRED]: [podTerm(draws, labels)] } } : {}),
    ...(chance(0.05) ? { podAffinity: { [REQUIRED]: [podTerm(draws, labels)] } } : {}),
  }
  return { nodeSelector: pick(selectors(draws, nodes)), affinity }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

const selectors = ({ pick }: Draws, nodes: ClusterSnapshot['nodes']): readonly object[] => [
  {},
  {},
  {},
  { 'nvidia.com/gpu.product': pick(nodes).product },
  { [ZONE]: pick(['hall-a', 'hall-b', 'hall-c']) },
  { [TIER]: pick(['gold', 'silver', 'none']) },
  { [HOST]: pick(nodes).name },
  { nobody: 'has-it' },
]

function nodeTerms({ pick, chance }: Draws, nodes: ClusterSnapshot['nodes']): readonly object[] {
  const names = [pick(nodes).name, pick(nodes).name, pick(nodes).name]
  const expression = (): object =>
    pick<object>([
      { key: TIER, operator: 'Exists' },
      { key: TIER, operator: 'DoesNotExist' },
      { key: TIER, operator: 'NotIn', values: ['gold'] },
      { key: 'referee/rank', operator: pick(['Gt', 'Lt']), values: [String(pick([2, 5, 8]))] },
      { key: ZONE, operator: 'In', values: [pick(['hall-a', 'hall-b']), 'hall-c'] },
      { key: HOST, operator: pick(['In', 'NotIn']), values: names },
    ])
  const term = (): object =>
    chance(0.15)
      ? { matchFields: [{ key: 'metadata.name', operator: 'In', values: [pick(nodes).name] }] }
      : { matchExpressions: chance(0.5) ? [expression()] : [expression(), expression()] }
  return chance(0.5) ? [term()] : [term(), term()]
}

function tolerations({ chance, pick }: Draws, nodes: ClusterSnapshot['nodes']): readonly object[] {
  if (chance(0.15)) return [{ operator: 'Exists' }]
  const taints = nodes.flatMap(({ room }) => room.taints)
  return taints
    .filter(() => chance(0.7))
    .map(({ key, value, effect }) =>
      pick<object>([
        { key, value, effect, operator: 'Equal' },
        { key, effect, operator: 'Exists' },
        { key, operator: 'Exists' },
        { key, value: `${value}-other`, effect },
      ]),
    )
}

type Labels = Readonly<Record<string, string>>

const podTerm = ({ pick, chance }: Draws, labels: Labels): object => ({
  topologyKey: pick([HOST, HOST, ZONE]),
  labelSelector: chance(0.8)
    ? { matchLabels: labels }
    : { matchExpressions: [{ key: 'app', operator: 'In', values: [labels['app'] ?? '', 'shared'] }] },
  ...(chance(0.1) ? { namespaceSelector: {} } : {}),
})

const spreadRules = (draws: Draws, labels: Labels): readonly object[] => {
  const { pick, chance } = draws
  const rule = (): object => ({
    maxSkew: pick([1, 1, 2]),
    topologyKey: pick([HOST, ZONE, ZONE]),
    whenUnsatisfiable: chance(0.85) ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
    ...(chance(0.15) ? { minDomains: pick([2, 3, 5]) } : {}),
    ...(chance(0.2) ? { nodeTaintsPolicy: 'Honor' } : {}),
  })
  return chance(0.8) ? [rule()] : [rule(), rule()]
}

function containers({ pick, chance }: Draws, devices: Labels, isPlain: boolean): object {
  const cpu = pick(isPlain ? ['', '', '250m', '2'] : ['', '', '250m', '2', '8', '30', '200'])
  const memory = pick(isPlain ? ['', '512Mi'] : ['', '', '512Mi', '16Gi', '96Gi', '900Gi', '1500000000'])
  const asked = { ...(cpu === '' ? {} : { cpu }), ...(memory === '' ? {} : { memory }) }
  const limits = chance(0.3) ? { ...asked, ...devices } : devices
  const main = {
    name: 'main',
    image: 'registry.example.com/app/drawn:1',
    resources: { requests: { ...asked, ...devices }, limits },
    ...(chance(0.04) ? { ports: [{ containerPort: 8080, hostPort: 8080 }] } : {}),
  }
  const small = { requests: { cpu: pick(['100m', '1', '40']), memory: '256Mi' } }
  const side = { name: 'side', image: 'registry.example.com/app/side:1', resources: small }
  return {
    containers: chance(0.15) ? [main, side] : [main],
    ...(chance(0.1)
      ? { initContainers: [{ ...side, name: 'init', ...(chance(0.3) ? { restartPolicy: 'Always' } : {}) }] }
      : {}),
  }
}
