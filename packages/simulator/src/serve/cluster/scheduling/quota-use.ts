import { listIn, objectAt, textIn, valueIn, type JsonObject } from '../../kube/json.ts'
import { amountOf, askedAmounts, type Amounts } from './amounts.ts'

/** An object as a ResourceQuota counts it. */
export type Counted = { readonly kind: string; readonly spec: JsonObject; readonly ended: boolean }

export const counted = (kind: string, object: JsonObject): Counted => ({
  kind,
  spec: objectAt(object, 'spec'),
  ended: kind === 'pods' && ['Succeeded', 'Failed'].includes(textIn(object, 'status', 'phase')),
})

/** How much an object takes of one key of a quota's `hard`, in the unit of the resource; a pod that has ended takes only its own count. */
export function usedBy({ kind, spec, ended }: Counted, key: string): number {
  if (key.startsWith('count/')) return key === `count/${kind}` ? 1 : 0
  if (kind !== 'pods' || ended) return 0
  if (key === 'pods') return 1
  if (key.startsWith('limits.')) return amounts(spec, 'limits').get(key.slice('limits.'.length)) ?? 0
  return amounts(spec, 'requests').get(key.replace(/^requests\./u, '')) ?? 0
}

const amounts = (spec: JsonObject, list: 'requests' | 'limits'): Amounts => {
  const known = read.get(spec)?.[list]
  if (known !== undefined) return known
  const found = askedAmounts(spec, list)
  read.set(spec, { ...read.get(spec), [list]: found })
  return found
}
const read = new WeakMap<JsonObject, { requests?: Amounts; limits?: Amounts }>()

/**
 * Whether a quota counts a pod at all (`scopes`, `scopeSelector`). Of scopes the demo knows those by lifetime and by
 * quality of service; by priority class it knows the names.
 */
export function isInScope(quota: JsonObject, { kind, spec }: Counted): boolean {
  const plain = listIn(quota, 'spec', 'scopes').map((scope) => ({
    scopeName: textIn(scope),
    operator: 'Exists',
  }))
  const scopes: readonly JsonObject[] = [
    ...plain,
    ...listIn(quota, 'spec', 'scopeSelector', 'matchExpressions').map((each) => objectAt(each)),
  ]
  return scopes.length === 0 || (kind === 'pods' && scopes.every((scope) => isOf(scope, spec)))
}

function isOf(scope: JsonObject, spec: JsonObject): boolean {
  const ends = valueIn(spec, 'activeDeadlineSeconds') !== undefined
  const asks = [...amounts(spec, 'requests'), ...amounts(spec, 'limits')].some(
    ([name, amount]) => (name === 'cpu' || name === 'memory') && amount > 0,
  )
  switch (textIn(scope, 'scopeName')) {
    case 'Terminating':
      return ends
    case 'NotTerminating':
      return !ends
    case 'BestEffort':
      return !asks
    case 'NotBestEffort':
      return asks
    case 'PriorityClass':
      return isOfClass(scope, textIn(spec, 'priorityClassName'))
    default:
      return false
  }
}

function isOfClass(scope: JsonObject, name: string): boolean {
  const values = listIn(scope, 'values').map((each) => textIn(each))
  switch (textIn(scope, 'operator')) {
    case 'In':
      return values.includes(name)
    case 'NotIn':
      return !values.includes(name)
    case 'Exists':
      return name !== ''
    default:
      return name === ''
  }
}

/** What a quota's `hard` says, in the unit of the resource. */
export const hardOf = (quota: JsonObject): ReadonlyMap<string, number> => {
  const hard = objectAt(quota, 'spec', 'hard')
  return new Map(Object.keys(hard).map((key) => [key, amountOf(key, textIn(hard, key))]))
}

/** An amount as a quota writes it. */
export const amountText = (key: string, amount: number): string => {
  if (!key.endsWith('cpu')) return String(amount)
  return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`
}
