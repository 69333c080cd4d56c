import {
  ANALYSIS_GROUPS,
  analyzeCluster,
  instant,
  shippedPrices,
  spanOfRange,
  totalsOf,
  type ClusterSnapshot,
} from '@septet/domain'

import { draw } from '@septet/domain/testing'
import type { ClusterFacts } from '../../facts.ts'
import { factsOf } from './facts.fixture.ts'

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

function known(id: string, snapshot: ClusterSnapshot, name = id): ClusterFacts {
  const standing = factsOf(snapshot, [], { id, name, kind: 'cluster', createdAt: instant(0) })
  return {
    ...standing,
    // It stands still, and was read this moment.
    asOf: () => instant(Date.now()),
    async analysis(range, namespaces) {
      const found = await standing.analysis(range, namespaces)
      return found && { ...found, madeAt: instant(Date.now()) }
    },
    size: () => ({
      serverVersion: 'v1.34.0',
      nodes: snapshot.nodes.length,
      gpus: snapshot.nodes.flatMap(({ gpus }) => gpus).length,
      devices: 0,
    }),
  }
}

const HELD = draw`a  H100-80GB-HBM3  [lab/x-1]`
/** One GPU that is held, and of which no hour was ever read. */
const unseen: ClusterFacts = {
  ...known('unseen', HELD),
  analysis: async (range) => ({
    analysis: analyzeCluster({
      snapshot: HELD,
      totals: {
        parts: totalsOf([], ANALYSIS_GROUPS.parts),
        trend: totalsOf([], ANALYSIS_GROUPS.trend),
        trendSpan: '5m',
      },
      prices: shippedPrices,
      window: spanOfRange(range, instant(Date.now())),
      samples: [],
    }),
    trendStep: 300,
    madeAt: instant(Date.now()),
  }),
}

/** No node, a node without GPUs, one free GPU, one that was never seen, and names as somebody may write them. */
export const oddClusters = (): readonly ClusterFacts[] => CLUSTERS
const CLUSTERS = [
  known('empty', EMPTY),
  known('without-gpus', WITHOUT_GPUS),
  known('one', ONE_GPU),
  unseen,
  known('strange', STRANGE, `${ODD} ${LONG}`),
]

/** The path of a screen with a cluster chosen. */
export const of = (cluster: string, path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}cluster=${cluster}`
