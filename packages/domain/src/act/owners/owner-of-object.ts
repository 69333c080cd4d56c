import { listAt, textAt, textsAt, valueAt } from '../live-object.ts'

/** Who a live object belongs to, and so whether Septet may write to it. */
export type ObjectOwner =
  /** A tool keeps it as git or a chart says: what Septet wrote would be undone, or would make the cluster differ from that. */
  | { readonly kind: 'gitops'; readonly tool: GitOpsTool; readonly application: string }
  /** A controller made it from another object: that one is to be asked about, and changed. */
  | { readonly kind: 'child'; readonly of: { readonly group: string; readonly kind: string; readonly name: string } }
  /** `tool`: who wrote it last as a whole, where that can be told. */
  | { readonly kind: 'free'; readonly tool: 'kubectl' | undefined; readonly application: string }

type GitOpsTool = 'argo-cd' | 'flux' | 'helm'

/**
 * Who manages a live object, by its annotations, labels and managedFields. A sign that was copied along with the object is
 * none: an Argo CD tracking id has to name this very object, and `app.kubernetes.io/instance`, which Helm charts set too,
 * needs Argo CD among the managers of the object's fields. An empty `application` is not known.
 */
export function ownerOfObject(object: unknown): ObjectOwner {
  const of = controllerOf(object)
  if (of !== undefined) return { kind: 'child', of }
  return argoApplication(object) ?? fluxOwner(object) ?? helmRelease(object) ?? freeOwner(object)
}

/** Why Septet does not write to it, and what to do instead; undefined where it may. `name` as people say it: `lab/chat`. */
export function whyNotWritten(owner: ObjectOwner, name: string): string | undefined {
  if (owner.kind === 'free') return undefined
  if (owner.kind === 'child') {
    return `${name} is made by ${owner.of.kind} ${owner.of.name}, which would change it back. Change ${owner.of.kind} ${owner.of.name} instead.`
  }
  const by = `${TOOLS[owner.tool]}${owner.application === '' ? '' : ` (${owner.application})`}`
  return `${name} is managed by ${by}, so Septet does not write to it. Make the change in ${owner.tool === 'helm' ? 'the values of its release' : 'git'}; the exact change is in the plan's files.`
}

const TOOLS = { 'argo-cd': 'Argo CD', flux: 'Flux', helm: 'Helm' } as const satisfies Record<GitOpsTool, string>

/** The owner that made it, as its ownerReferences say. */
function controllerOf(object: unknown): Extract<ObjectOwner, { kind: 'child' }>['of'] | undefined {
  const reference = listAt(object, 'metadata', 'ownerReferences').find((each) => valueAt(each, 'controller') === true)
  return reference === undefined
    ? undefined
    : {
        group: groupOf(textAt(reference, 'apiVersion')),
        kind: textAt(reference, 'kind'),
        name: textAt(reference, 'name'),
      }
}

const TRACKING_ID = 'argocd.argoproj.io/tracking-id'
const INSTANCE = 'app.kubernetes.io/instance'
/** What Argo CD's documentation recommends to track by where another tool sets `app.kubernetes.io/instance`. */
const ARGO_INSTANCE = 'argocd.argoproj.io/instance'

function argoApplication(object: unknown): ObjectOwner | undefined {
  const tracked = trackedBy(object)
  const labels = textsAt(object, 'metadata', 'labels')
  const own = tracked ?? labels[ARGO_INSTANCE]
  if (own !== undefined) return { kind: 'gitops', tool: 'argo-cd', application: own }
  // Managers are not copied with an object, unlike labels and annotations.
  return isManagedBy(object, ['argocd-controller', 'argocd-application-controller'])
    ? { kind: 'gitops', tool: 'argo-cd', application: labels[INSTANCE] ?? '' }
    : undefined
}

/** The application whose tracking id, `app:group/kind:namespace/name`, names this object. */
function trackedBy(object: unknown): string | undefined {
  const id = textsAt(object, 'metadata', 'annotations')[TRACKING_ID] ?? ''
  const [, application, group, kind, namespace, name] = /^([^:]+):([^/:]*)\/([^:]+):([^/]*)\/(.+)$/u.exec(id) ?? []
  const own = textAt(object, 'metadata', 'namespace')
  const isOwn =
    group === groupOf(textAt(object, 'apiVersion')) &&
    kind === textAt(object, 'kind') &&
    name === textAt(object, 'metadata', 'name') &&
    // Of what belongs to no namespace the id may say the application's.
    (own === '' || namespace === own)
  return isOwn ? application : undefined
}

function fluxOwner(object: unknown): ObjectOwner | undefined {
  const labels = textsAt(object, 'metadata', 'labels')
  for (const part of ['kustomize', 'helm']) {
    const name = labels[`${part}.toolkit.fluxcd.io/name`]
    const namespace = labels[`${part}.toolkit.fluxcd.io/namespace`]
    if (name !== undefined || isManagedBy(object, [`${part}-controller`])) {
      return {
        kind: 'gitops',
        tool: 'flux',
        application: [namespace, name].filter((each) => each !== undefined).join('/'),
      }
    }
  }
  return undefined
}

/** By label and annotation together, as Helm itself tells what belongs to a release; an upgrade sets back what others wrote. */
function helmRelease(object: unknown): ObjectOwner | undefined {
  const annotations = textsAt(object, 'metadata', 'annotations')
  const release = annotations['meta.helm.sh/release-name'] ?? ''
  const namespace = annotations['meta.helm.sh/release-namespace']
  const isMarked = textsAt(object, 'metadata', 'labels')['app.kubernetes.io/managed-by'] === 'Helm' && release !== ''
  return isMarked || isManagedBy(object, ['helm'])
    ? { kind: 'gitops', tool: 'helm', application: namespace === undefined ? release : `${namespace}/${release}` }
    : undefined
}

function freeOwner(object: unknown): ObjectOwner {
  const annotations = textsAt(object, 'metadata', 'annotations')
  const byKubectl =
    annotations['kubectl.kubernetes.io/last-applied-configuration'] !== undefined ||
    isManagedBy(object, ['kubectl', 'kubectl-client-side-apply', 'kubectl-create'])
  return { kind: 'free', tool: byKubectl ? 'kubectl' : undefined, application: '' }
}

/** Whether one of these writes fields of the object itself; who only tells its status does not manage it. */
const isManagedBy = (object: unknown, managers: readonly string[]): boolean =>
  listAt(object, 'metadata', 'managedFields').some(
    (entry) => managers.includes(textAt(entry, 'manager')) && textAt(entry, 'subresource') === '',
  )

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')
