import type { Cast } from '../../model/stage.ts'
import { objectAt, textAt, withValue, type JsonObject } from '../kube/json.ts'
import { updated } from '../kube/managed-fields.ts'

type Managed = {
  readonly managedBy?: Cast['managedBy'] | undefined
  readonly owner: { readonly name: string }
  /** What made the owner itself: the marks are on the top one alone. */
  readonly above?: unknown
  readonly namespace: string
}

/** An object with the marks of the tool that keeps it as a repository or a chart says, where there is one. */
export function managed(object: JsonObject, { managedBy, owner, above, namespace }: Managed): JsonObject {
  if (managedBy === undefined || above !== undefined) return object
  const { labels, annotations, writer } = MARKS[managedBy](owner.name, namespace)
  const metadata = objectAt(object, 'metadata')
  const { status, ...written } = withValue(object, ['metadata'], {
    ...metadata,
    labels: { ...objectAt(metadata, 'labels'), ...labels },
    annotations,
  })
  const time = textAt(metadata, 'creationTimestamp')
  const tool = updated(undefined, written, { ...writer, subresource: '', time })
  const controller = { manager: 'kube-controller-manager', operation: 'Update', subresource: 'status', time } as const
  return updated(tool, { ...tool, status }, controller)
}

type Mark = {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly writer: { readonly manager: string; readonly operation: 'Apply' | 'Update' }
}

const MARKS = {
  // Since Argo CD 3.0 an annotation says whose an object is.
  argocd: (name, namespace) => ({
    labels: {},
    annotations: { 'argocd.argoproj.io/tracking-id': `${namespace}:apps/Deployment:${namespace}/${name}` },
    writer: { manager: 'argocd-controller', operation: 'Apply' },
  }),
  helm: (name, namespace) => ({
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace },
    writer: { manager: 'helm', operation: 'Update' },
  }),
} satisfies Record<NonNullable<Cast['managedBy']>, (name: string, namespace: string) => Mark>
