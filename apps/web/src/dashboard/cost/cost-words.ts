import type { Answer } from '../../api.ts'

export type Cost = Answer<'costBreakdown'>
export type ShownCostGroup = Cost['groups'][number]
export type ShownAmounts = ShownCostGroup['gpuHours']
type By = Cost['by']

export const CUTS = [
  { value: 'namespace', label: 'Namespace' },
  { value: 'tenant', label: 'Tenant' },
  { value: 'label', label: 'Label' },
  { value: 'model', label: 'Model' },
  { value: 'pool', label: 'Pool' },
  { value: 'node', label: 'Node' },
] as const satisfies readonly { value: By; label: string }[]

/** What a group is called where it has no name of its own. */
export function groupName({ key, kind }: Pick<ShownCostGroup, 'key' | 'kind'>, by: By): string {
  if (kind === 'free') return 'Unallocated or unknown'
  if (kind === 'unknown') return 'Unknown labels'
  if (kind === 'none') return by === 'tenant' ? 'No tenant' : 'No label'
  return key === '' ? `No ${by}` : key
}

/** Why a group without a name is there. */
export function groupNote({ kind }: Pick<ShownCostGroup, 'kind'>, by: By): string | undefined {
  if (kind === 'unknown') return 'Ended before Septet read its labels'
  if (kind === 'free') return 'Free, broken or holder not recorded'
  if (kind === 'none' && by === 'tenant') return 'No rule in Settings → Tenants matches'
  return undefined
}

/** `x/Job/a` as its name, with what it is. */
export function workloadWords(id: string): { readonly name: string; readonly place: string } {
  const [namespace = '', kind = '', ...name] = id.split('/')
  return { name: name.join('/'), place: `${kind} in ${namespace}` }
}

/** An amount, and for how long usage was seen. */
type Observed = { readonly amount: number; readonly observedSeconds: number }

/** "+12.0%" against an amount before, each for an hour that was seen; undefined where there was nothing to compare with. */
export function changeWords(now: Observed, before: Observed): string | undefined {
  if (before.amount <= 0 || before.observedSeconds <= 0 || now.observedSeconds <= 0) return undefined
  const ratio = now.amount / now.observedSeconds / (before.amount / before.observedSeconds)
  const percent = Math.round((ratio - 1) * 1000) / 10
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)}%`
}
