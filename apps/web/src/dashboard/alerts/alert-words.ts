import { grouped, percent } from '@septet/domain/words'
import { type Alert, type AlertKind, KINDS } from '../words/alert-kinds.ts'

const UNITS = {
  hours: ' h',
  percent: '%',
  USD: ' USD',
  minutes: ' min',
  code: '',
  count: '',
} as const satisfies Record<Alert['unit'], string>

/** The value beside what it is held against: `9.3 h, limit 8 h`; undefined where there is nothing to measure. */
export function figureWords({ kind, value, threshold, unit, coverage }: Alert): string | undefined {
  if (unit === 'count') return undefined
  if (unit === 'code') return value > 0 ? `XID ${value}` : undefined
  const limit = kind === 'efficiency' ? 'floor' : 'limit'
  const covered = coverage === null ? '' : `, ${percent(coverage, 0)} measured`
  return `${amountWords(value, unit)}, ${limit} ${amountWords(threshold, unit)}${covered}`
}

/** An hour and more in hours. */
const amountWords = (value: number, unit: Alert['unit']): string =>
  unit === 'minutes' && value >= 60 ? `${grouped(value / 60, 1)} h` : `${grouped(value, 1)}${UNITS[unit]}`

/** Where the card of an alert's object is, below the dashboard; undefined where there is none. */
export function objectPlace(
  object: string,
): { readonly path: string; readonly search: Record<string, string> } | undefined {
  const cut = object.indexOf('/')
  const [kind, name] = cut < 0 ? [object, ''] : [object.slice(0, cut), object.slice(cut + 1)]
  switch (kind) {
    case 'workload':
      return { path: '/workloads', search: { workload: name } }
    case 'gpu':
      return { path: '/fleet', search: { gpu: name } }
    case 'node':
      return { path: '/partitions', search: { node: name } }
    case 'namespace':
      return { path: '/workloads', search: { namespace: name } }
    case 'waiting':
      return { path: '/workloads', search: waitingSearch(name) }
    case 'tenant':
    case 'budget':
      return { path: '/cost', search: {} }
    default:
      return undefined
  }
}

/** `team/mig-3g.40gb`: those of the namespace that wait for it. */
function waitingSearch(name: string): Record<string, string> {
  const [namespace = '', device = ''] = name.split('/')
  const isOne = device !== '' && !device.includes('+')
  return { view: 'waiting', namespace, ...(isOne ? { for: `nvidia.com/${device}` } : {}) }
}

/** What restates its figure is not said twice on the screen; receivers of messages get it. */
export const addsToFigure = ({ kind }: Alert): boolean => kind !== 'idle-held' && kind !== 'efficiency'

/** The object in a few words: what stands behind its kind. */
export const objectName = (object: string): string => object.slice(object.indexOf('/') + 1)

/** Alerts by kind, the kinds in their order. */
export const byKind = (
  alerts: readonly Alert[],
): readonly { readonly kind: AlertKind; readonly alerts: readonly Alert[] }[] =>
  KINDS.map((kind) => ({ kind, alerts: alerts.filter((alert) => alert.kind === kind) })).filter(
    ({ alerts: some }) => some.length > 0,
  )
