/** A kind of object that the demo's API serves. */
export type Kind = {
  readonly group: string
  /** The preferred one, in which objects are kept. */
  readonly version: string
  /** Others in which they can be read and written as well. */
  readonly olderVersions?: readonly string[]
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  readonly short: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources: readonly string[]
}

const kind = (groupVersion: string, name: string, more: Partial<Kind> = {}): Kind => {
  const [group = '', version = 'v1'] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion]
  const plural = `${name.toLowerCase()}s`
  return { group, version, plural, kind: name, namespaced: true, short: [], subresources: [], ...more }
}
const withStatus = { subresources: ['status'] }
const withScale = { subresources: ['status', 'scale'] }
// Kueue serves both in every release from 0.14 to 0.19.
const kueue = { olderVersions: ['v1beta1'] }
const policies = { plural: 'validatingadmissionpolicies', namespaced: false }
const all = { categories: ['all'] }

/** Everything served, in the order of discovery. */
export const KUBE_KINDS: readonly Kind[] = [
  kind('v1', 'Namespace', { namespaced: false, short: ['ns'], ...withStatus }),
  kind('v1', 'Node', { namespaced: false, short: ['no'], ...withStatus }),
  kind('v1', 'Pod', { short: ['po'], ...all, subresources: ['status', 'eviction'] }),
  kind('v1', 'ConfigMap', { short: ['cm'] }),
  kind('v1', 'Event', { short: ['ev'] }),
  kind('v1', 'ResourceQuota', { short: ['quota'], ...withStatus }),
  kind('apps/v1', 'Deployment', { short: ['deploy'], ...all, ...withScale }),
  kind('apps/v1', 'ReplicaSet', { short: ['rs'], ...all, ...withScale }),
  kind('apps/v1', 'StatefulSet', { short: ['sts'], ...all, ...withScale }),
  kind('apps/v1', 'DaemonSet', { short: ['ds'], ...all, ...withStatus }),
  kind('batch/v1', 'Job', { ...all, ...withStatus }),
  kind('batch/v1', 'CronJob', { short: ['cj'], ...all, ...withStatus }),
  kind('autoscaling/v2', 'HorizontalPodAutoscaler', { short: ['hpa'], ...all, ...withStatus }),
  kind('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { namespaced: false }),
  kind('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', { ...policies, ...withStatus }),
  kind('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', { namespaced: false }),
  kind('coordination.k8s.io/v1', 'Lease'),
  kind('policy/v1', 'PodDisruptionBudget', { short: ['pdb'], ...withStatus }),
  kind('scheduling.k8s.io/v1', 'PriorityClass', { plural: 'priorityclasses', namespaced: false, short: ['pc'] }),
  kind('resource.k8s.io/v1', 'DeviceClass', { plural: 'deviceclasses', namespaced: false }),
  kind('resource.k8s.io/v1', 'ResourceSlice', { namespaced: false }),
  kind('resource.k8s.io/v1', 'ResourceClaim', withStatus),
  kind('resource.k8s.io/v1', 'ResourceClaimTemplate'),
  kind('nvidia.com/v1', 'ClusterPolicy', { plural: 'clusterpolicies', namespaced: false, ...withStatus }),
  kind('kubeflow.org/v1', 'Notebook', withStatus),
  kind('keda.sh/v1alpha1', 'ScaledObject', { short: ['so'], ...withStatus }),
  kind('karpenter.sh/v1', 'NodePool', { namespaced: false, ...withStatus }),
  kind('karpenter.sh/v1', 'NodeClaim', { namespaced: false, ...withStatus }),
  kind('kueue.x-k8s.io/v1beta2', 'ResourceFlavor', { namespaced: false, short: ['rf'], ...kueue }),
  kind('kueue.x-k8s.io/v1beta2', 'ClusterQueue', { namespaced: false, short: ['cq'], ...withStatus, ...kueue }),
  kind('kueue.x-k8s.io/v1beta2', 'LocalQueue', { short: ['queue', 'lq'], ...withStatus, ...kueue }),
  kind('kueue.x-k8s.io/v1beta2', 'Workload', { short: ['wl'], ...withStatus, ...kueue }),
]

export const groupVersionOf = ({ group, version }: Pick<Kind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`

/** Of a custom resource: no built-in type says how its lists are merged. */
export const isCustom = ({ group }: Kind): boolean => group.includes('.') && !group.endsWith('.k8s.io')

/** `pods`, `deployments.apps`: how error messages name a kind. */
export const qualifiedKind = ({ plural, group }: Pick<Kind, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`

/** Every group version a kind is served in, the preferred one first. */
export const groupVersionsOf = ({ group, version, olderVersions = [] }: Kind): readonly string[] =>
  [version, ...olderVersions].map((each) => groupVersionOf({ group, version: each }))

const byPlural = new Map(
  KUBE_KINDS.flatMap((served) => groupVersionsOf(served).map((each) => [`${each}/${served.plural}`, served] as const)),
)
export const kindFor = (groupVersion: string, plural: string): Kind | undefined =>
  byPlural.get(`${groupVersion}/${plural}`)

const named = new Map(KUBE_KINDS.map((each) => [each.kind, each]))
/** The kind of a name that is known to be served. */
export function kindNamed(name: string): Kind {
  const found = named.get(name)
  if (found === undefined) throw new Error(`the demo serves no kind ${name}`)
  return found
}
