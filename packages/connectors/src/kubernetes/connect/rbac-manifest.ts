import { createHash } from 'node:crypto'
import type { MissingPermission } from './check-permissions.ts'

/** Who the API server takes Septet for: `system:serviceaccount:septet:septet-reader`; undefined where it does not say. */
export type ReaderIdentity = string | undefined

/**
 * The roles that would give what is missing, and nothing more, as YAML to apply. Texts from the cluster stand in quotes.
 * Each is named by what it gives: one that is applied later must not take back what an earlier one gave.
 */
export function rbacManifest(missing: readonly MissingPermission[], identity: ReaderIdentity): string {
  const inCluster = missing.filter(({ namespace }) => namespace === undefined)
  const byNamespace = Map.groupBy(
    missing.filter(({ namespace }) => namespace !== undefined),
    ({ namespace }) => namespace ?? '',
  )
  const documents = [
    ...(inCluster.length === 0 ? [] : both({ name: nameOf(inCluster), namespace: undefined }, inCluster, identity)),
    ...[...byNamespace].flatMap(([namespace, some]) => both({ name: nameOf(some), namespace }, some, identity)),
  ]
  return documents.join('---\n')
}

const nameOf = (missing: readonly MissingPermission[]): string => {
  const rights = missing.map(
    ({ verb, group, resource, namespace }) => `${verb} ${group}/${resource} ${namespace ?? ''}`,
  )
  return `septet-reader-added-${createHash('sha256').update(rights.toSorted().join()).digest('hex').slice(0, 8)}`
}
const API = 'rbac.authorization.k8s.io'

type Named = { readonly name: string; readonly namespace: string | undefined }

const both = (named: Named, missing: readonly MissingPermission[], identity: ReaderIdentity): readonly string[] => [
  role(named, missing),
  binding(named, identity),
]

function role(named: Named, missing: readonly MissingPermission[]): string {
  const { namespace } = named
  return [
    ...(namespace === undefined ? [] : ['# Leave this part and the next out where the namespace does not exist.']),
    `apiVersion: ${API}/v1`,
    `kind: ${namespace === undefined ? 'ClusterRole' : 'Role'}`,
    ...metadata(named),
    'rules:',
    ...rulesOf(missing),
    '',
  ].join('\n')
}

function rulesOf(missing: readonly MissingPermission[]): readonly string[] {
  const verbsOf = new Map<string, { group: string; resource: string; verbs: string[] }>()
  for (const { group, resource, verb } of missing) {
    const key = `${group}/${resource}`
    const rule = verbsOf.get(key) ?? { group, resource, verbs: [] }
    if (!rule.verbs.includes(verb)) rule.verbs.push(verb)
    verbsOf.set(key, rule)
  }
  const alike = Map.groupBy(verbsOf.values(), ({ group, verbs }) => `${group} ${verbs.join(' ')}`)
  return [...alike.values()].flatMap((rules) => [
    `  - apiGroups: ['${rules[0]?.group ?? ''}']`,
    `    resources: [${rules.map(({ resource }) => resource).join(', ')}]`,
    `    verbs: [${rules[0]?.verbs.join(', ') ?? ''}]`,
  ])
}

function binding(named: Named, identity: ReaderIdentity): string {
  const { name, namespace } = named
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  return [
    `apiVersion: ${API}/v1`,
    `kind: ${kind}Binding`,
    ...metadata(named),
    'roleRef:',
    `  apiGroup: ${API}`,
    `  kind: ${kind}`,
    `  name: ${name}`,
    'subjects:',
    ...subject(identity),
    '',
  ].join('\n')
}

const metadata = ({ name, namespace }: Named): readonly string[] => [
  'metadata:',
  `  name: ${name}`,
  ...(namespace === undefined ? [] : [`  namespace: ${JSON.stringify(namespace)}`]),
]

function subject(identity: ReaderIdentity): readonly string[] {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/u.exec(identity ?? '')
  if (account !== null || identity === undefined) {
    const [, namespace = 'septet', name = 'septet-reader'] = account ?? []
    const guess = identity === undefined ? ['  # Whom the credentials stand for; change it where that is another.'] : []
    return [
      ...guess,
      '  - kind: ServiceAccount',
      `    name: ${JSON.stringify(name)}`,
      `    namespace: ${JSON.stringify(namespace)}`,
    ]
  }
  return ['  - kind: User', `    name: ${JSON.stringify(identity)}`, `    apiGroup: ${API}`]
}
