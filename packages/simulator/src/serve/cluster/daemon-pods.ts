import { mix, suffix, uuidOf } from '../../model/hash.ts'
import { listAt, objectAt, textAt, withValue, type JsonObject } from '../kube/json.ts'
import { keyOf } from '../kube/store.ts'
import { timeText } from '../kube/write.ts'
import { POD, type Cluster } from './cluster.ts'
import { pluginRestarted } from './device-plugin.ts'
import { startAnew } from './mig-manager.ts'

/** A DaemonSet makes its pod anew on the same node, under another name; any other pod stays away. */
export function replaceDaemonPod(cluster: Cluster, gone: JsonObject): void {
  const owner = listAt(gone, 'metadata', 'ownerReferences').find((each) => textAt(each, 'kind') === 'DaemonSet')
  if (owner === undefined) return
  const seed = mix(cluster.world.seed, cluster.store.version())
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...kept } = objectAt(gone, 'metadata')
  const namespace = textAt(gone, 'metadata', 'namespace')
  const name = `${textAt(owner, 'name')}-${suffix(seed, 5)}`
  const made = { ...kept, name, uid: uuidOf(seed), creationTimestamp: timeText(cluster.now()) }
  cluster.store.put(POD, keyOf(namespace, name), () => withValue(gone, ['metadata'], made))
  const node = textAt(gone, 'spec', 'nodeName')
  if (textAt(owner, 'name') === 'nvidia-device-plugin-daemonset') pluginRestarted(cluster, node)
  if (textAt(owner, 'name') !== 'nvidia-mig-manager') return
  cluster.journal.add({ kind: 'mig-manager-restarted', node, pod: keyOf(namespace, name), uid: uuidOf(seed) })
  cluster.agenda.at(cluster.now(), () => startAnew(cluster, node))
}
