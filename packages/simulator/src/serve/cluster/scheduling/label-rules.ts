import { isObject, listIn, objectAt, textIn, type Json, type JsonObject } from '../../kube/json.ts'

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
