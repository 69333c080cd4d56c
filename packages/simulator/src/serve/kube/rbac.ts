import type { Access } from './access.ts'
import type { ApiRequest } from './request.ts'

/** A rule of a Role, or of a ClusterRole where no namespace is named. */
export type RbacRule = {
  readonly namespace?: string
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** Only objects of these names; creating and listing name none, and are not allowed by such a rule. */
  readonly resourceNames?: readonly string[]
}

/** Whether any of the rules allows it, as RBAC decides. */
export const allows = (rules: readonly RbacRule[], access: Access): boolean =>
  rules.some(
    (rule) =>
      (rule.namespace === undefined || rule.namespace === access.namespace) &&
      has(rule.verbs, access.verb) &&
      has(rule.apiGroups, access.group) &&
      (has(rule.resources, access.resource) || rule.resources.includes(anyOf(access.resource))) &&
      (rule.resourceNames === undefined || rule.resourceNames.includes(access.name ?? '')),
  )

const has = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted)

/** `*\/scale` stands for that subresource of everything. */
const anyOf = (resource: string): string => `*/${resource.split('/')[1] ?? ''}`

type Asked = Omit<ApiRequest, 'kind'> & { readonly kind: Pick<ApiRequest['kind'], 'group' | 'plural'> }

export const accessOf = (request: Asked): Access => ({
  verb: verbName(request),
  group: request.kind.group,
  resource: request.subresource === '' ? request.kind.plural : `${request.kind.plural}/${request.subresource}`,
  namespace: request.namespace,
  name: request.name ?? selectedName(request),
})

function verbName({ verb, name, query }: Asked): string {
  if (verb === 'get') return query.has('watch') ? 'watch' : name === undefined ? 'list' : 'get'
  return verb === 'delete' && name === undefined ? 'deletecollection' : verb
}

/** A list or watch of one object by its name counts as one for that name. */
const selectedName = ({ verb, query }: Asked): string | undefined =>
  verb === 'get' ? /^metadata\.name=([^,]+)$/.exec(query.get('fieldSelector') ?? '')?.[1] : undefined
