import { Refusal } from '@septet/contract'
import type { Answering } from '../answering/answering.ts'
import type { ClusterService, TestView } from './cluster-service.ts'

/** What is told and decided of how clusters are reached. */
export const connectionAnswers = (answer: Answering, { clusters }: { readonly clusters: ClusterService }) => ({
  connectionsList: answer.ofSeptet('connectionsList', async () => ({
    connections: [...(await clusters.connections())],
    inCluster: clusters.inCluster,
  })),
  connectionsContexts: answer.ofSeptet('connectionsContexts', ({ kubeconfig }) => ({
    contexts: clusters.contexts(kubeconfig),
  })),
  connectionsTest: answer.ofSeptet('connectionsTest', (input) => ({ id: clusters.test(input) })),
  connectionsTested: answer.ofSeptet('connectionsTested', ({ id }) => knownTest(clusters.tested(id))),
  connectionsAdd: answer.ofSeptet('connectionsAdd', (input, { caller }) => clusters.add(input, caller.name)),
  connectionsRename: answer.ofSeptet('connectionsRename', ({ id, name }) => clusters.rename(id, name)),
  connectionsMetrics: answer.ofSeptet('connectionsMetrics', (input) => clusters.setMetrics(input)),
  connectionsActor: answer.ofSeptet('connectionsActor', (input) => clusters.setActor(input)),
  connectionsRotate: answer.ofSeptet('connectionsRotate', ({ id }) => clusters.rotateAgentToken(id)),
  connectionsRemove: answer.ofSeptet('connectionsRemove', async ({ id, confirm, deleteUsage }) => {
    await clusters.remove(id, { confirm, deleteUsage })
    return { removed: id, usageDeleted: deleteUsage }
  }),
})

function knownTest(test: TestView | undefined): TestView {
  if (test !== undefined) return test
  throw new Refusal(
    'not-found',
    'There is no such connection test, or it is forgotten: a result is kept for ten minutes.',
    'Begin the test again.',
  )
}
