import { numberIn, listIn, objectAt, textIn, withValue } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { NODE, POD, type Demo } from './cluster.ts'
import { happenedTo, takeAway } from './controllers.ts'
import { OPERATOR_NAMESPACE } from './mig-manager.ts'

/** A node is gone: its GPUs, its exporter and its pods with it. Controllers make other pods, elsewhere. */
export function takeNodeAway(cluster: Demo, name: string): void {
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
    if (textIn(pod, 'spec', 'nodeName') !== name) continue
    cluster.store.remove(POD, entry.key)
    for (const owner of listIn(pod, 'metadata', 'ownerReferences')) {
      if (textIn(owner, 'kind') === 'DaemonSet') countOut(cluster, entry.key, textIn(owner, 'name'))
    }
  }
  cluster.stirred = true
}

/** A DaemonSet has one pod less. */
function countOut(cluster: Demo, podKey: string, name: string): void {
  const kind = kindNamed('DaemonSet')
  const key = keyOf(podKey.slice(0, podKey.indexOf('/')), name)
  const object = cluster.store.get(kind, key)?.read()
  if (object === undefined) return
  const numbers = Object.keys(objectAt(object, 'status')).map((field) => [
    field,
    (numberIn(object, 'status', field) ?? 1) - 1,
  ])
  cluster.store.put(kind, key, () => withValue(object, ['status'], Object.fromEntries(numbers)))
}
