import { isObject, listIn, objectAt, textIn, type Json, type JsonObject } from '../../kube/json.ts'

/** Amounts by resource name: CPU in thousandths of a core, everything else in its own unit (bytes, devices, pods). */
export type Amounts = ReadonlyMap<string, number>

/** Reads quantities as the API server writes them. */
export function amountsIn(object: JsonObject): Amounts {
  return new Map(Object.keys(object).map((name) => [name, amountOf(name, textIn(object, name))]))
}

/** One quantity in the unit in which the scheduler counts the resource, rounded up. Not a number: 0. */
export function amountOf(name: string, text: string): number {
  const [, digits, suffix = ''] = QUANTITY.exec(text) ?? []
  if (digits === undefined) return 0
  const scale = (SUFFIXES[suffix] ?? Number(`1${suffix}`)) * (name.endsWith('cpu') ? 1000 : 1)
  // Nine digits after the point are more than a quantity may have, and fewer than what a binary fraction gets wrong.
  return Math.ceil(Number((Number(digits) * scale).toFixed(6)))
}

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(m|u|n|k|[KMGTPE]i?|[eE][+-]?\d+)?$/u
const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/**
 * What a pod asks for: its containers together, or an init container that needs more than they do. Init containers that
 * stay (restartPolicy Always) count beside those after them. Amounts of the pod as a whole stand in place of its
 * containers' (Kubernetes: "Pod-level resources"), and its overhead comes on top.
 */
export function askedAmounts(spec: Json | undefined, list: 'requests' | 'limits'): Amounts {
  const lasting = new Map<string, number>()
  const peak = new Map<string, number>()
  for (const container of listIn(spec, 'initContainers')) {
    const own = listed(container, list)
    if (textIn(container, 'restartPolicy') === 'Always') add(lasting, own)
    else for (const [name, amount] of own) raise(peak, name, amount + (lasting.get(name) ?? 0))
  }
  for (const container of listIn(spec, 'containers')) add(lasting, listed(container, list))
  for (const [name, amount] of peak) raise(lasting, name, amount)
  for (const [name, amount] of listed(spec, list)) lasting.set(name, amount)
  add(lasting, amountsIn(objectAt(spec, 'overhead')))
  return lasting
}

/** A limit without a request is both. */
const listed = (of: Json | undefined, list: 'requests' | 'limits'): Amounts =>
  isObject(of)
    ? amountsIn(
        list === 'limits'
          ? objectAt(of, 'resources', 'limits')
          : { ...objectAt(of, 'resources', 'limits'), ...objectAt(of, 'resources', 'requests') },
      )
    : new Map()

function add(sums: Map<string, number>, more: Amounts): void {
  for (const [name, amount] of more) sums.set(name, (sums.get(name) ?? 0) + amount)
}

function raise(amounts: Map<string, number>, name: string, amount: number): void {
  amounts.set(name, Math.max(amount, amounts.get(name) ?? 0))
}
