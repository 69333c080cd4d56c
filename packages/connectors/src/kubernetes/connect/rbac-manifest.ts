import type { MissingPermission } from './check-permissions.ts'

/** Who the API server takes Septet for: `system:serviceaccount:septet:septet-reader`; undefined where it does not say. */
export type ReaderIdentity = string | undefined

/**
 * The roles that would give what is missing, and nothing more, as YAML to apply. Texts from the cluster stand in quotes.
 */
export function rbacManifest(missing: readonly MissingPermission[], identity: ReaderIdentity): string {
  const inCluster = missing.filter(({ namespace }) => namespace === undefined)
  const byNamespace = Map.groupBy(
    missing.filter(({ namespace }) => namespace !== undefined),
    ({ namespace }) => namespace ?? '',
  )
  const documents = [
    ...(inCluster.length === 0 ? [] : [role(inCluster, undefined), binding(undefined, identity)]),
    ...[...byNamespace].flatMap(([namespace, some]) => [role(some, namespace), binding(namespace, identity)]),
  ]
  return documents.join('---\n')
}

const NAME = 'septet-reader-added'
const API = 'rbac.authorization.k8s.io'

function role(missing: readonly MissingPermission[], namespace: string | undefined): string {
  return [
    `apiVersion: ${API}/v1`,
    `kind: ${namespace === undefined ? 'ClusterRole' : 'Role'}`,
    ...metadata(namespace),
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

function binding(namespace: string | undefined, identity: ReaderIdentity): string {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  return [
    `apiVersion: ${API}/v1`,
    `kind: ${kind}Binding`,
    ...metadata(namespace),
    'roleRef:',
    `  apiGroup: ${API}`,
    `  kind: ${kind}`,
    `  name: ${NAME}`,
    'subjects:',
    ...subject(identity),
    '',
  ].join('\n')
}

const metadata = (namespace: string | undefined): readonly string[] => [
  'metadata:',
  `  name: ${NAME}`,
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
