import { type clustersList, type OutputOf, type modelsList, notFound } from '@septet/contract'
import { boardFor, GPU_MODELS, type Range } from '@septet/domain'
import type { ClusterFacts, HistoryProgress } from '../../facts.ts'
import { SAMPLE_SOURCE, type VisibleFacts } from '../answering/source.ts'
import { statusOf } from './status.ts'
import { isoOrNull } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'
import type { ClusterService, TestView } from './cluster-service.ts'

type ClusterView = OutputOf<typeof clustersList>['clusters'][number]

/** Every source that the caller may see: connected clusters, the demo cluster, and at last the sample data. */
export function listClusters(facts: VisibleFacts): OutputOf<typeof clustersList> {
  return { clusters: [...facts.clusters().map(clusterView), ...(facts.sample ? [sampleView] : [])] }
}

function clusterView(facts: ClusterFacts): ClusterView {
  const { id, name, kind } = facts.record
  const connection = facts.connection()
  const size = facts.size()
  return {
    id,
    name,
    kind,
    state: connection.kind,
    lastContact: isoOrNull(connection.lastContact),
    asOf: isoOrNull(facts.asOf()),
    serverVersion: size?.serverVersion ?? null,
    nodes: size?.nodes ?? null,
    gpus: size?.gpus ?? null,
    history: historyView(facts.history()),
    problems: statusOf(facts).problems,
  }
}

const historyView = (history: HistoryProgress | undefined): ClusterView['history'] =>
  history === undefined ? null : { done: history.done, of: history.of, detail: history.detail }

const sampleView: ClusterView = {
  ...SAMPLE_SOURCE,
  state: 'not-live',
  lastContact: null,
  asOf: null,
  serverVersion: null,
  nodes: null,
  gpus: null,
  history: null,
  problems: [],
}

/** The GPU catalog. */
export function listModels(): OutputOf<typeof modelsList> {
  return {
    models: GPU_MODELS.map((model) => ({
      name: model.name,
      vendor: model.vendor,
      architecture: model.architecture,
      memoryGb: rangeView(model.memory),
      tdpWatts: rangeView(model.tdp),
      mig: model.mig,
      profiles: boardFor(model)?.profiles.map((profile) => profile.name) ?? [],
      unverified: [...model.unverified],
    })),
  }
}

const rangeView = (range: Range<number> | undefined): { min: number; max: number } | null =>
  range === undefined ? null : { min: range.min, max: range.max }

/** What is told and decided of how clusters are reached. */
export const connectionAnswers = ({ clusters }: { readonly clusters: ClusterService }): AnswersOf<'connections'> => ({
  connectionsList: async () => ({ connections: [...(await clusters.connections())], inCluster: clusters.inCluster }),
  connectionsContexts: async ({ kubeconfig }) => ({ contexts: await clusters.contexts(kubeconfig) }),
  connectionsTest: async (input) => ({ id: await clusters.test(input) }),
  connectionsTested: async ({ id }) => knownTest(await clusters.tested(id)),
  connectionsAdd: (input, { caller }) => clusters.add(input, caller.name),
  connectionsRename: ({ id, name }) => clusters.rename(id, name),
  connectionsMetrics: (input) => clusters.setMetrics(input),
  connectionsActor: (input) => clusters.setActor(input),
  connectionsRotate: ({ id }) => clusters.rotateAgentToken(id),
  async connectionsRemove({ id, confirm, deleteUsage }) {
    await clusters.remove(id, { confirm, deleteUsage })
    return { removed: id, usageDeleted: deleteUsage }
  },
})

function knownTest(test: TestView | undefined): TestView {
  if (test !== undefined) return test
  throw notFound(
    'There is no such connection test, or it is forgotten: a result is kept for ten minutes.',
    'Begin the test again.',
  )
}
