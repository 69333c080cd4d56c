import { numberAt, listAt, objectAt, textAt, withValue } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { NODE, POD, type Cluster } from './cluster.ts'
import { happenedTo, takeAway } from './controllers.ts'
import { OPERATOR_NAMESPACE } from './mig-manager.ts'

/** A node is gone: its GPUs, its exporter and its pods with it. Controllers make other pods, elsewhere. */
export function removeNode(cluster: Cluster, name: string): void {
  cluster.store.remove(NODE, name)
  cluster.world.retire(name, cluster.now())
  cluster.paused.delete(name)
  cluster.store.remove(kindNamed('Lease'), keyOf('kube-node-lease', name))
  cluster.store.remove(kindNamed('ConfigMap'), keyOf(OPERATOR_NAMESPACE, `${name}-mig-config`))
  for (const pod of cluster.pods.values()) {
    if (pod.state.node?.name !== name) continue
    cluster.journal.add({ kind: 'deleted', ...happenedTo(pod) })
    takeAway(cluster, pod)
  }
  for (const entry of cluster.store.list(POD)) {
    const pod = entry.read()
    if (textAt(pod, 'spec', 'nodeName') !== name) continue
    cluster.store.remove(POD, entry.key)
    for (const owner of listAt(pod, 'metadata', 'ownerReferences')) {
      if (textAt(owner, 'kind') === 'DaemonSet') countOut(cluster, entry.key, textAt(owner, 'name'))
    }
  }
  cluster.stirred = true
}

/** A DaemonSet has one pod less. */
function countOut(cluster: Cluster, podKey: string, name: string): void {
  const kind = kindNamed('DaemonSet')
  const key = keyOf(podKey.slice(0, podKey.indexOf('/')), name)
  const object = cluster.store.get(kind, key)?.read()
  if (object === undefined) return
  const numbers = Object.keys(objectAt(object, 'status')).map((field) => [
    field,
    (numberAt(object, 'status', field) ?? 1) - 1,
  ])
  cluster.store.put(kind, key, () => withValue(object, ['status'], Object.fromEntries(numbers)))
}
