import { seedOf, uuidOf } from '../../model/hash.ts'
import type { JsonObject } from '../kube/json.ts'
import { groupVersionOf, kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { kubeTime } from '../kube/write.ts'
import type { Demo } from './cluster.ts'

type Named = {
  readonly name: string
  readonly namespace?: string
  readonly createdAt: number
  /** What its metadata have beside that, and in its place. */
  readonly metadata?: JsonObject
}

/** An object of a kind that is served, as its controller makes it: with the same identity in every run. */
export const objectOf = (kind: string, named: Named, parts: JsonObject): JsonObject => ({
  kind,
  apiVersion: groupVersionOf(kindNamed(kind)),
  metadata: {
    name: named.name,
    ...(named.namespace === undefined ? {} : { namespace: named.namespace }),
    uid: uuidOf(seedOf(`${named.namespace}/${kind}/${named.name}`)),
    creationTimestamp: kubeTime(named.createdAt),
    ...named.metadata,
  },
  ...parts,
})

/** Keeps such an object, which is made when it is read. */
export const putObject = (cluster: Demo, kind: string, [named, parts]: readonly [Named, JsonObject]): void =>
  void cluster.store.put(kindNamed(kind), keyOf(named.namespace, named.name), () => objectOf(kind, named, parts))
