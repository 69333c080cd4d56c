import type { WorkloadId } from '../../cluster/workload.ts'
import type { ObjectRef } from '../cluster-writer.ts'

/** Group, version and plural of the kinds that Septet may change. */
const KINDS: Readonly<Record<string, readonly [group: string, version: string, resource: string]>> = {
  Deployment: ['apps', 'v1', 'deployments'],
  StatefulSet: ['apps', 'v1', 'statefulsets'],
  Job: ['batch', 'v1', 'jobs'],
  JobSet: ['jobset.x-k8s.io', 'v1alpha2', 'jobsets'],
  RayCluster: ['ray.io', 'v1', 'rayclusters'],
  Notebook: ['kubeflow.org', 'v1', 'notebooks'],
  PyTorchJob: ['kubeflow.org', 'v1', 'pytorchjobs'],
  InferenceService: ['serving.kserve.io', 'v1beta1', 'inferenceservices'],
  LeaderWorkerSet: ['leaderworkerset.x-k8s.io', 'v1', 'leaderworkersets'],
}

/** Where the object of a workload is; undefined for a kind that Septet does not change. */
export function workloadRef(id: WorkloadId): ObjectRef | undefined {
  const [namespace = '', kind = '', ...rest] = id.split('/')
  const known = KINDS[kind]
  if (known === undefined) return undefined
  const [group, version, resource] = known
  return { group, version, resource, namespace, name: rest.join('/') }
}
