import { Environment } from '@marcbachmann/cel-js'

import { errorText } from '@septet/domain/words'

import { isObject, listIn, objectAt, same, textIn, type Json, type JsonObject } from './json.ts'
import { kindNamed, qualifiedKind, type Kind } from './kinds.ts'
import { isDryRun, type ApiRequest } from './request.ts'
import { Refused, invalid, notServed } from './status.ts'
import { keyOf, type KubeStore } from './store.ts'

const POLICY = kindNamed('ValidatingAdmissionPolicy')
const BINDING = kindNamed('ValidatingAdmissionPolicyBinding')

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true })
environment.registerOperator('optional<dyn> == optional<dyn>', (one: Optional, other: Optional) =>
  same(one.orValue(NONE), other.orValue(NONE)),
)
type Optional = { orValue(otherwise: Json): Json }
const NONE = { 'no value': true }

/** What a request makes of an object; undefined where there is none before or after. */
export type Admission = { readonly object: JsonObject | undefined; readonly oldObject: JsonObject | undefined }

/**
 * Asks each ValidatingAdmissionPolicy that a binding puts in force about a write, as an API server does once an object is
 * complete. Throws where one denies it; others only warn.
 */
export function askPolicies(store: KubeStore, request: ApiRequest, admission: Admission): void {
  for (const entry of store.list(BINDING)) {
    const binding = entry.read()
    const policy = store.get(POLICY, keyOf(undefined, textIn(binding, 'spec', 'policyName')))?.read()
    const spec = objectAt(policy, 'spec')
    if (!listIn(spec, 'matchConstraints', 'resourceRules').some((rule) => isAbout(rule, request))) continue
    const denial = denialBy(spec, request, admission)
    if (denial === undefined) continue
    const [which, by] = [policy, binding].map((each) => textIn(each, 'metadata', 'name'))
    const actions = listIn(binding, 'spec', 'validationActions')
    const named = `ValidatingAdmissionPolicy '${which}' with binding '${by}'`
    if (actions.includes('Deny'))
      throw denied(request, { ...denial, message: `${named} denied request: ${denial.message}` })
    if (actions.includes('Warn')) request.warn(`Validation failed for ${named}: ${denial.message}`)
  }
}

const OPERATIONS = { create: 'CREATE', update: 'UPDATE', patch: 'UPDATE', delete: 'DELETE', get: 'CONNECT' } as const

function isAbout(rule: Json, { kind, verb, subresource }: ApiRequest): boolean {
  const has = (field: string, ...wanted: readonly string[]): boolean =>
    listIn(rule, field).some((each) => typeof each === 'string' && wanted.includes(each))
  const resources = [`*/${subresource === '' ? '*' : subresource}`, '*/*', `${kind.plural}/*`]
  const named = subresource === '' ? [kind.plural, '*'] : [`${kind.plural}/${subresource}`]
  return (
    has('operations', OPERATIONS[verb], '*') &&
    has('apiGroups', kind.group, '*') &&
    has('apiVersions', kind.version, '*') &&
    has('resources', ...named, ...resources)
  )
}

type Denial = { readonly message: string; readonly reason: string }

/** The first validation that does not hold; an expression that fails counts as one. */
function denialBy(spec: JsonObject, request: ApiRequest, admission: Admission): Denial | undefined {
  const variables: Record<string, unknown> = {}
  const scope = { ...scopeOf(request, admission), variables }
  for (const each of listIn(spec, 'variables')) {
    // Each is worked out when a validation names it, and only once.
    let known: { readonly value: unknown } | undefined
    const get = (): unknown => (known ??= { value: valueOf(each, scope) }).value
    Object.defineProperty(variables, textIn(each, 'name'), { get, enumerable: true })
  }
  if (!listIn(spec, 'matchConditions').every((each) => valueOf(each, scope) === true)) return undefined
  for (const each of listIn(spec, 'validations')) {
    const reason = textIn(each, 'reason') || 'Invalid'
    try {
      if (valueOf(each, scope) !== true) return { reason, message: messageOf(each, scope) }
    } catch (error) {
      if (textIn(spec, 'failurePolicy') === 'Ignore') continue
      const [why = ''] = errorText(error).split('\n')
      const message = `expression '${textIn(each, 'expression')}' resulted in error: ${why.replace(/^No/u, 'no')}`
      return { reason: 'Invalid', message }
    }
  }
  return undefined
}

const valueOf = (of: Json, scope: Record<string, unknown>): unknown => compiled(textIn(of, 'expression'))(scope)

function messageOf(validation: Json, scope: Record<string, unknown>): string {
  const expression = textIn(validation, 'messageExpression')
  const said = expression === '' ? textIn(validation, 'message') : String(compiled(expression)(scope))
  return said === '' ? `failed expression: ${textIn(validation, 'expression')}` : said
}

type Compiled = ReturnType<Environment['parse']>
const programs = new Map<string, Compiled>()

function compiled(expression: string): Compiled {
  const known = programs.get(expression) ?? environment.parse(expression)
  programs.set(expression, known)
  return known
}

/** As an AdmissionRequest has it, which leaves out what is empty. */
function scopeOf(
  request: ApiRequest,
  {
    object = null,
    oldObject = null,
  }: { object?: JsonObject | undefined | null; oldObject?: JsonObject | undefined | null },
) {
  const { kind, verb, namespace, subresource, user } = request
  const name = request.name ?? textIn(object, 'metadata', 'name')
  return {
    object,
    oldObject,
    request: {
      operation: OPERATIONS[verb],
      kind: { group: kind.group, version: kind.version, kind: kind.kind },
      resource: { group: kind.group, version: kind.version, resource: kind.plural },
      userInfo: { username: user },
      dryRun: isDryRun(request),
      ...(name === '' ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(subresource === '' ? {} : { subResource: subresource }),
    },
  }
}

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
}

function denied({ kind, name = '' }: ApiRequest, { reason, message }: Denial): Refused {
  return new Refused(CODES[reason] ?? 422, reason, {
    message: `${qualifiedKind(kind)} "${name}" is forbidden: ${message}`,
    details: {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      causes: [{ message }],
    },
  })
}

const NARROWER = new Set([
  'paramKind',
  'paramRef',
  'matchResources',
  'excludeResourceRules',
  'namespaceSelector',
  'objectSelector',
])

/** Throws where a policy or a binding could not be put in force. */
export function checkPolicy(kind: Kind, object: JsonObject): void {
  const spec = objectAt(object, 'spec')
  const name = textIn(object, 'metadata', 'name')
  const wrong = (field: string, message: string): Refused =>
    invalid(kind, name, [{ reason: 'FieldValueInvalid', message, field }])
  if (
    kind === BINDING &&
    listIn(spec, 'validationActions').includes('Deny') &&
    listIn(spec, 'validationActions').includes('Warn')
  ) {
    const why =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
    throw wrong('spec.validationActions', `Invalid value: ${JSON.stringify(spec['validationActions'])}: ${why}`)
  }
  const narrower = Object.entries({ ...spec, ...objectAt(spec, 'matchConstraints') }).find(
    ([field, value]) => NARROWER.has(field) && !same(value, {}),
  )
  if (narrower !== undefined) throw notServed(`evaluate ${narrower[0]} of a ${kind.kind}`)
  for (const list of kind === POLICY ? ['matchConditions', 'variables', 'validations'] : [])
    for (const [index, each] of listIn(spec, list).filter(isObject).entries()) {
      const expression = textIn(each, 'expression')
      try {
        compiled(expression)
      } catch (error) {
        const message = `Invalid value: ${JSON.stringify(expression)}: compilation failed: ERROR: ${errorText(error)}`
        throw wrong(`spec.${list}[${index}].expression`, message)
      }
    }
}
