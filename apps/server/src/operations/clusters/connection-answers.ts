import { notFound } from '@septet/contract'
import type { AnswersOf } from '../answering/answering.ts'
import type { ClusterService, TestView } from './cluster-service.ts'

/** What is told and decided of how clusters are reached. */
export const connectionAnswers = ({ clusters }: { readonly clusters: ClusterService }): AnswersOf<'connections'> => ({
  connectionsList: async () => ({ connections: [...(await clusters.connections())], inCluster: clusters.inCluster }),
  connectionsContexts: ({ kubeconfig }) => ({ contexts: clusters.contexts(kubeconfig) }),
  connectionsTest: (input) => ({ id: clusters.test(input) }),
  connectionsTested: ({ id }) => knownTest(clusters.tested(id)),
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
