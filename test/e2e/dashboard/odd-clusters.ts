import { instant, type ClusterSnapshot } from '@septet/domain'

import { type ClusterFacts, factsOf } from '@septet/server/testing'
import { draw } from '@septet/domain/testing'

// Clusters that are not as one would like them.

/** The longest name that Kubernetes lets an object have. */
export const LONG = 'n'.repeat(253)
export const MARKUP = '<img/src=x onerror=document.title=1>'
/** Turns the reading direction and never turns it back. */
export const TURNS = '\u202E'
export const ODD = `<b>${TURNS}שלום🧪مرحبا-${MARKUP}`

const ONE_GPU = draw`a  H100-80GB-HBM3  [-]`
const EMPTY: ClusterSnapshot = { ...ONE_GPU, nodes: [] }
const WITHOUT_GPUS: ClusterSnapshot = {
  ...ONE_GPU,
  nodes: ONE_GPU.nodes.map((node) => ({ ...node, model: undefined, product: '', gpus: [] })),
}

const DRAWN = draw`
  ${LONG}@pool-${LONG}  A100-SXM4-80GB  [3g.40gb ${LONG}/${LONG}] [3g.40gb lab/y-1]
  odd                   H100-80GB-HBM3  [web/z-1]
  b@train               H100-80GB-HBM3  [-]
  ?                     ${LONG}/waits-1  4g.40gb
  ?                     lab/waits-2      4g.40gb`

const STRANGE: ClusterSnapshot = {
  ...DRAWN,
  nodes: DRAWN.nodes.map((node) => (node.name === 'odd' ? { ...node, pool: ODD } : node)),
  workloads: DRAWN.workloads.map((workload) => ({
    ...workload,
    labels: { team: ODD, [ODD]: LONG },
    ...(workload.id.includes('/z') ? { name: ODD } : {}),
    ...(workload.status === 'queued' ? { waiting: { reason: MARKUP, message: `${ODD} ${LONG}` }, queue: LONG } : {}),
  })),
}

const known = (id: string, snapshot: ClusterSnapshot, name = id): ClusterFacts => ({
  ...factsOf(snapshot, [], { id, name, kind: 'cluster', createdAt: instant(0) }),
  // It stands still, and was read this moment.
  asOf: () => instant(Date.now()),
  size: () => ({
    serverVersion: 'v1.34.0',
    nodes: snapshot.nodes.length,
    gpus: snapshot.nodes.flatMap(({ gpus }) => gpus).length,
    devices: 0,
  }),
})

/** No node, a node without GPUs, one free GPU, and names as somebody may write them. */
export const oddClusters = (): readonly ClusterFacts[] => [
  known('empty', EMPTY),
  known('without-gpus', WITHOUT_GPUS),
  known('one', ONE_GPU),
  known('strange', STRANGE, `${ODD} ${LONG}`),
]

/** The path of a screen with a cluster chosen. */
export const of = (cluster: string, path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}cluster=${cluster}`
