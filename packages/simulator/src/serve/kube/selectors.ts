import { textIn, objectAt, type JsonObject, isObject, listIn, type Json } from './json.ts'
import type { Kind } from './kinds.ts'
import { badRequest } from './status.ts'

export type Selects = (object: JsonObject) => boolean

const everything: Selects = () => true

/** `a=b,c!=d,e in (f,g),!h,i` */
export function labelSelector(text: string): Selects {
  if (text.trim() === '') return everything
  const terms = text.split(/,(?![^(]*\))/).map((term) => labelTerm(term.trim()))
  return (object) => {
    const labels = objectAt(object, 'metadata', 'labels')
    return terms.every((term) => term((key) => (key in labels ? textIn(labels, key) : undefined)))
  }
}

type Lookup = (key: string) => string | undefined
type Term = (label: Lookup) => boolean

function labelTerm(term: string): Term {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term)
  if (set !== null) {
    const [, key = '', operator, list = ''] = set
    const values = new Set(list.split(',').map((value) => value.trim()))
    return (label) => values.has(label(key) ?? '\0') === (operator === 'in')
  }
  const compared = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(term)
  if (compared !== null) {
    const [, key = '', operator, value = ''] = compared
    return (label) => (label(key) === value) === (operator !== '!=')
  }
  const bare = /^(!?)([^=!\s]+)$/.exec(term)
  if (bare === null) throw badRequest(`unable to parse requirement: ${term}`)
  const [, not, key = ''] = bare
  return (label) => (label(key) === undefined) === (not === '!')
}

/** Fields by which lists of a kind can be narrowed, beside name and namespace. */
const FIELDS: Readonly<Record<string, string>> = {
  Pod: 'spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork status.phase status.podIP status.nominatedNodeName',
  Node: 'spec.unschedulable',
  Namespace: 'status.phase',
  Job: 'status.successful',
  ReplicaSet: 'status.replicas',
  ResourceSlice: 'spec.nodeName spec.driver',
  Event:
    'involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type',
}

/** `spec.nodeName=a,status.phase!=b`. A missing field is the empty text, and false where it is one of those. */
export function fieldSelector(text: string, { kind }: Pick<Kind, 'kind'>): Selects {
  if (text.trim() === '') return everything
  const terms = text.split(',').map((term) => {
    const match = /^([\w.]+)(==|=|!=)(.*)$/.exec(term.trim())
    if (match === null) throw badRequest(`invalid field selector: ${term}`)
    const [, path = '', operator, value = ''] = match
    if (!`metadata.name metadata.namespace ${FIELDS[kind]}`.split(' ').includes(path))
      throw badRequest(`field label not supported: ${path}`)
    return { path: path.split('.'), equal: operator !== '!=', value }
  })
  return (object) =>
    terms.every(({ path, equal, value }) => {
      const found = textIn(object, ...path)
      return (found === value || (found === '' && value === 'false')) === equal
    })
}

/** A label by its key; undefined where there is none. */
export type LabelPair = (key: string) => string | undefined

export const labelPairs =
  (labels: JsonObject): LabelPair =>
  (key) =>
    Object.hasOwn(labels, key) ? textIn(labels, key) : undefined

/** Whether labels are what a LabelSelector asks for. Without a selector nothing matches; an empty one matches everything. */
export function selectsLabels(selector: Json | undefined, label: LabelPair): boolean {
  if (!isObject(selector)) return false
  const wanted = objectAt(selector, 'matchLabels')
  return (
    Object.keys(wanted).every((key) => label(key) === textIn(wanted, key)) &&
    listIn(selector, 'matchExpressions').every((each) => meets(each, label))
  )
}

/** One requirement of a selector, or of node affinity. */
export const meets = (requirement: Json, label: LabelPair): boolean =>
  OPERATORS[textIn(requirement, 'operator')]?.(
    label(textIn(requirement, 'key')),
    listIn(requirement, 'values').map((each) => textIn(each)),
  ) === true

const OPERATORS: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [than]) => isWhole(value) && isWhole(than) && Number(value) > Number(than),
  Lt: (value, [than]) => isWhole(value) && isWhole(than) && Number(value) < Number(than),
}

const isWhole = (text: string | undefined): boolean => /^[+-]?\d+$/u.test(text ?? '')
