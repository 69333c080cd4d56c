import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Plan } from '../words/action.ts'

/** What of a snapshot the files of a plan speak of. */
export type ExportedCluster = Pick<ClusterSnapshot, 'nodes' | 'workloads'>

/** Whether Kubernetes allows this as the name of a node, pod or workload: a DNS-1123 subdomain. */
export const isKubernetesName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u.test(name)

/** Whether Kubernetes allows this as a label's value; empty is allowed. */
export const isLabelValue = (value: string): boolean =>
  value.length <= 63 && /^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$/u.test(value)

/**
 * Names in a plan that Kubernetes would not allow, each in a sentence. A real cluster has none; whoever wrote them into a
 * stored or imported snapshot could mean harm, so nothing is exported for them.
 */
export function impossibleNames(plan: Plan, snapshot: ExportedCluster): readonly string[] {
  const named = plan.steps
    .flatMap(({ action, inverse }) => [action, ...inverse])
    .flatMap((action) => [
      ...('node' in action ? [action.node] : []),
      ...('pod' in action ? action.pod.split('/') : []),
      ...('workload' in action ? workloadNames(action.workload) : []),
      ...(action.kind === 'share' && action.tenant !== '' ? [action.tenant] : []),
    ])
  const workloads = new Set(plan.steps.flatMap(({ action }) => ('workload' in action ? action.workload : [])))
  // A workload's fields are written into paths and commands too, and need not agree with its id in a forged snapshot.
  const objects = snapshot.workloads.filter(({ id }) => workloads.has(id))
  const templates = objects.flatMap((workload) => workload.templates ?? [])
  const fields = [
    ...objects.flatMap(({ namespace, name }) => [namespace, name]),
    ...templates.flatMap(({ containers }) => containers.map(({ name }) => name)),
  ]
  const kinds = objects.map(({ kind }) => kind)
  return [
    ...new Set([
      ...[...named, ...fields].filter((name) => !isKubernetesName(name)).map(sentence),
      ...templates.flatMap(({ part }) => (isLabelValue(part) ? [] : [sentence(part)])),
      ...kinds.filter((kind) => !/^[A-Za-z][A-Za-z0-9]*$/u.test(kind)).map(sentence),
    ]),
  ]
}

/** Namespace and name of `namespace/Kind/name`. */
function workloadNames(workload: string): readonly string[] {
  const [namespace = '', , ...name] = workload.split('/')
  return [namespace, name.join('/')]
}

const sentence = (name: string): string =>
  `${JSON.stringify(name)} is no name that Kubernetes allows, so no command or file is written for this plan.`
