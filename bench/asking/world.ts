import type { Ask } from '@septet/tools'

/** A cluster whose figures are known, as rows: what a question must come to is reckoned from them by itself. */
export type KnownRow = {
  readonly name: string
  readonly figures: Readonly<Record<string, number | null>>
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly states: readonly string[]
}

const NAMESPACES = ['ml-train', 'ml-serve', 'team-search', 'research']
const TENANTS = ['search', 'vision']
const MODELS = ['A100-SXM4-40GB', 'A100-SXM4-80GB', 'H100-80GB-HBM3', 'L40S', 'T4']
const POOLS = ['train', 'serve', 'spot']
const NODES = ['gpu-h100-01', 'gpu-h100-02', 'gpu-a100-03', 'gpu-l40s-04']
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  namespace: NAMESPACES,
  tenant: TENANTS,
  model: MODELS,
  pool: POOLS,
  node: NODES,
}

/** A number in a range that belongs to a text, the same each time. */
function drawn(text: string, low: number, high: number): number {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return Math.round((low + ((hash >>> 8) / 2 ** 24) * (high - low)) * 100) / 100
}

/** Groups of a cut over a range, or the whole cluster. */
export const groupRows = (by: string, range: string): readonly KnownRow[] =>
  (GROUPS[by] ?? ['the whole cluster']).map((name) => {
    const of = (figure: string, low: number, high: number): number =>
      drawn(`${by} ${name} ${range} ${figure}`, low, high)
    const gpuHours = of('hours', 50, 500)
    // Of one model nothing is measured.
    const isMeasured = name !== 'T4'
    return {
      name,
      figures: {
        cost: of('cost', 100, 4000),
        idleCost: isMeasured ? of('idle', 5, 90) : null,
        gpuHours,
        idleHours: isMeasured ? of('idleHours', 1, 40) : null,
        busy: isMeasured ? of('busy', 0.05, 0.9) : null,
      },
      fields: { [by]: [name] },
      states: [],
    }
  })

const JOBS: ReadonlyArray<
  readonly [id: string, status: string, tenant: string | null, model: string | null, extra?: string]
> = [
  ['ml-serve/Deployment/chat-7b', 'running', 'search', 'H100-80GB-HBM3', 'idle oversized'],
  ['ml-serve/Deployment/embedder', 'running', 'search', 'L40S'],
  ['ml-serve/Deployment/reranker', 'running', 'search', 'A100-SXM4-40GB', 'idle'],
  ['team-search/Deployment/ranker', 'running', 'search', 'A100-SXM4-80GB'],
  ['team-search/Job/index-build', 'queued', 'search', null],
  ['ml-train/Job/pretrain-llama', 'queued', 'vision', null],
  ['ml-train/Job/finetune-vit', 'running', 'vision', 'H100-80GB-HBM3'],
  ['ml-train/Job/ablation-3', 'running', 'vision', 'A100-SXM4-80GB', 'idle'],
  ['research/StatefulSet/notebook', 'running', null, 'T4', 'idle oversized'],
  ['research/Job/probe', 'queued', null, null],
  ['research/Job/old-sweep', 'ended', null, null],
]

/** The workloads over a range; the ended ones are told apart. */
export const workloadRows = (range: string, isEnded: boolean): readonly KnownRow[] =>
  JOBS.filter(([, status]) => (status === 'ended') === isEnded).map((job) => {
    const [id, status, tenant, model, extra = ''] = job
    return {
      name: id,
      figures: { ...amountsOf(job, range), idle: extra.includes('idle') ? 1 : 0 },
      fields: {
        namespace: [id.slice(0, id.indexOf('/'))],
        workload: [id],
        tenant: [tenant].filter((name) => name !== null),
        model: [model].filter((name) => name !== null),
      },
      states: [status === 'queued' ? 'waiting' : status, ...extra.split(' ').filter(Boolean)],
    }
  })

function amountsOf([id, status, , model]: (typeof JOBS)[number], range: string) {
  const of = (figure: string, low: number, high: number): number => drawn(`${id} ${range} ${figure}`, low, high)
  const isWaiting = status === 'queued'
  const known = (value: number): number | null => (model === 'T4' || isWaiting ? null : value)
  return {
    cost: isWaiting ? null : of('cost', 20, 900),
    idleCost: known(of('idle', 1, 15)),
    gpuHours: isWaiting ? 0 : of('hours', 5, 150),
    idleHours: known(of('idleHours', 0.5, 4)),
    busy: known(of('busy', 0.02, 0.95)),
    held: status === 'running' ? 1 + Math.round(drawn(`${id} holds`, 0, 7)) : 0,
    duration: Math.round(drawn(`${id} since`, 600, 400_000)),
  }
}

const GPUS: ReadonlyArray<
  readonly [node: number, model: number, pool: number, kind: string, holder: number, extra?: string]
> = [
  [0, 2, 0, 'busy', 0],
  [0, 2, 0, 'idle', 0],
  [1, 2, 0, 'busy', 6],
  [1, 2, 0, 'free', -1, 'faulty'],
  [2, 1, 2, 'busy', 3, 'partitioned'],
  [2, 1, 2, 'idle', 7, 'partitioned'],
  [2, 0, 2, 'idle', 2],
  [3, 3, 1, 'busy', 1],
  [3, 4, 1, 'unknown', 8],
  [3, 3, 1, 'free', -1],
]
const indexOf = (order: number): number => GPUS.slice(0, order).filter(([node]) => node === GPUS[order]?.[0]).length
const busyOf = (order: number): number =>
  GPUS[order]?.[3] === 'busy' ? Math.round(drawn(`gpu ${order}`, 100, 990)) : 0

export const gpuRows = (): readonly KnownRow[] =>
  GPUS.map(([node, model, pool, kind, holder, extra = ''], order) => {
    const held = [JOBS[holder]?.[0]].filter((id) => id !== undefined)
    const isUnknown = kind === 'unknown' || extra === 'faulty'
    return {
      name: `${NODES[node]} GPU ${indexOf(order)}`,
      figures: { busy: isUnknown ? null : busyOf(order) / 1000 },
      fields: {
        ...placeOf({ node, model, pool }),
        workload: held,
        namespace: held.map((id) => id.slice(0, id.indexOf('/'))),
      },
      states: extra === 'faulty' ? [extra] : [...(STATES[kind] ?? []), extra].filter(Boolean),
    }
  })

const placeOf = ({ node, model, pool }: Readonly<Record<'node' | 'model' | 'pool', number>>) => ({
  node: NODES.slice(node, node + 1),
  model: MODELS.slice(model, model + 1),
  pool: POOLS.slice(pool, pool + 1),
})

/** `idle?`: not known whether. */
const STATES: Readonly<Record<string, readonly string[]>> = { free: ['free'], idle: ['idle'], unknown: ['idle?'] }

const ADVICE: ReadonlyArray<readonly [title: string, usd: number | null]> = [
  ['Remove gpu-l40s-04 and its 3 GPUs', 2100],
  ['Release ml-serve/Deployment/reranker', 640],
  ['Repartition gpu-a100-03', null],
]
export const recommendationRows = (): readonly KnownRow[] =>
  ADVICE.map(([name, saving]) => ({ name, figures: { saving }, fields: {}, states: [] }))

const figure = (value: number | null, unit: string) => ({
  value,
  unit,
  quality: value === null ? 'unknown' : 'measured',
  because: null,
  coverage: null,
  explain: { formula: '', window: null, source: '' },
})
const HEAD = {
  source: { id: 'known', name: 'Known', kind: 'cluster' },
  asOf: '2026-11-18T14:30:00.000Z',
  window: null,
  says: [],
}
const PARTS = {
  used: 0,
  oversized: 0,
  unmeasured: 0,
  unallocated: 0,
  stranded: 0,
  broken: 0,
  unrequested: 0,
  unobserved: 0,
}

const viewOf = ({ name, figures }: KnownRow) => {
  const { cost, idleCost, gpuHours, idleHours, busy } = figures
  const isUnknown = idleHours === null
  const hours = { ...PARTS, capacity: gpuHours, idleHeld: idleHours ?? 0, used: (gpuHours ?? 0) - (idleHours ?? 0) }
  return {
    id: `named:${name}`,
    key: name,
    kind: 'named',
    gpuHours: { ...hours, unmeasured: isUnknown ? gpuHours : 0 },
    usd: { ...PARTS, capacity: cost, idleHeld: idleCost ?? 0 },
    busy,
    coverage: isUnknown ? 0 : 1,
    unmeasuredShare: isUnknown ? 1 : 0,
  }
}

function costOf({ by = 'namespace', range = '24h' }: Asked) {
  const [total] = groupRows('fleet', range).map(viewOf)
  const rest = { unpricedGpuHours: 0, within: null, labels: [], observedSeconds: 86_400, notes: [], before: 'before' }
  return { ...HEAD, by, groups: groupRows(by, range).map(viewOf), total: total ?? null, ...rest }
}

type Asked = {
  readonly by?: string
  readonly range?: string
  readonly status?: string
  readonly query?: string
  readonly id?: string
}

const workloadsOf = ({ range = '24h', status }: Asked) => ({
  ...HEAD,
  total: workloadRows(range, status === 'ended').length,
  workloads: workloadRows(range, status === 'ended').map(workloadOf),
})

const workloadOf = ({ name, figures, fields, states }: KnownRow) => {
  const { held, idle, duration, gpuHours, idleHours, busy = null, cost = null, idleCost = null } = figures
  const of = (field: string): readonly string[] => fields[field] ?? []
  return {
    id: name,
    namespace: of('namespace')[0],
    tenant: of('tenant')[0] ?? null,
    status: states[0]?.replace('waiting', 'queued'),
    holds: held === 0 ? null : { gpus: held, idle, parts: of('model').map((model) => ({ model })) },
    duration,
    busy: figure(busy, 'ratio'),
    gpuHours,
    idleGpuHours: idleHours,
    cost: figure(cost, 'USD'),
    idleCost: figure(idleCost, 'USD'),
    rightSize: { kind: states.includes('oversized') ? 'oversized' : 'fits' },
  }
}

const nodesOf = () => ({
  ...HEAD,
  total: NODES.length,
  nodes: NODES.map((node, at) => ({
    node,
    pool: POOLS[GPUS.find(([of]) => of === at)?.[2] ?? 0],
    ready: true,
    gpus: GPUS.flatMap(([of, model, , kind, holder, extra], order) =>
      of !== at
        ? []
        : [
            {
              id: `GPU-${order}`,
              index: indexOf(order),
              model: MODELS[model],
              mode: extra === 'partitioned' ? 'mig' : 'whole',
              slots: 8,
              fault: extra === 'faulty' ? { message: 'It has fallen off the bus.' } : null,
              blocks: [
                {
                  kind,
                  size: 8,
                  busy: kind === 'unknown' ? null : busyOf(order) / 1000,
                  holder: JOBS[holder]?.[0] ?? null,
                },
              ],
            },
          ],
    ),
  })),
})

function foundOf({ query = '' }: Asked) {
  const all = [
    ...NODES.map((name) => ({ kind: 'node', id: name, name })),
    ...NAMESPACES.map((name) => ({ kind: 'namespace', id: name, name })),
    ...JOBS.map(([id]) => ({ kind: 'workload', id, name: id })),
  ]
  const found = all.filter(({ id }) => id.toLowerCase().includes(query.toLowerCase()))
  return { ...HEAD, total: found.length, found: found.map((one) => ({ ...one, detail: '' })) }
}

const ANSWERS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  costBreakdown: costOf,
  workloadsList: workloadsOf,
  partitionsList: nodesOf,
  searchFind: foundOf,
  recommendationsList: () => ({
    ...HEAD,
    total: ADVICE.length,
    recommendations: ADVICE.map(([title, usdPerMonth]) => ({
      id: title,
      title,
      saving: usdPerMonth === null ? { kind: 'none' } : { kind: 'estimated', usdPerMonth },
    })),
  }),
  workloadsGet: ({ id = '' }) => ({ ...HEAD, says: [{ text: `${id} waits.`, cites: [{ ref: 'workload' }] }] }),
}

/** Answers the operations that a line asks, from those rows. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it answers just what lines ask for
export const askWorld = ((key: string, input: Asked) => Promise.resolve(ANSWERS[key]?.(input))) as unknown as Ask
