import { useSearchParams } from 'react-router'

import type { Input } from '../../api.ts'

/** Which workloads are looked at. */
const WORKLOAD_VIEWS = ['all', 'running', 'waiting', 'idle', 'ended'] as const
type WorkloadView = (typeof WORKLOAD_VIEWS)[number]

/** What the address says is looked at, and how to change it. */
export type WorkloadChoice = {
  readonly view: WorkloadView
  readonly search: string
  readonly namespace: string | undefined
  /** An empty text: those without a tenant. */
  readonly tenant: string | undefined
  readonly kind: string | undefined
  /** Only those that wait for this resource. */
  readonly waitsFor: string | undefined
  readonly isFiltered: boolean
  /** `replace`: no step in the history, for what is typed letter by letter. */
  readonly choose: (change: Change, how?: { readonly replace: boolean }) => void
}
type Change = Readonly<Partial<Record<(typeof NAMES)[number], string | undefined>>>

const NAMES = ['view', 'search', 'namespace', 'tenant', 'class', 'for'] as const

export function useWorkloadChoice(): WorkloadChoice {
  const [parameters, setParameters] = useSearchParams()
  const text = (name: (typeof NAMES)[number]): string | undefined => parameters.get(name) ?? undefined
  const asked = text('view')
  return {
    view: WORKLOAD_VIEWS.find((known) => known === asked) ?? 'all',
    search: text('search') ?? '',
    namespace: text('namespace'),
    tenant: text('tenant'),
    kind: text('class'),
    waitsFor: text('for'),
    isFiltered: NAMES.some((name) => name !== 'view' && parameters.has(name)),
    choose: (change, how = { replace: false }) =>
      setParameters((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(change)) {
          if (value === undefined) after.delete(name)
          else after.set(name, value)
        }
        return after
      }, how),
  }
}

/** The question that a choice asks. */
export const workloadQuestion = ({ view, search, namespace, tenant, kind, waitsFor }: WorkloadChoice): Input => ({
  status: STATUS[view],
  idle: view === 'idle' ? 'true' : undefined,
  search: search.trim() === '' ? undefined : search.trim().slice(0, 253),
  namespace,
  tenant,
  class: kind,
  waitsFor,
})

const STATUS = {
  all: 'all',
  running: 'running',
  waiting: 'queued',
  idle: 'running',
  ended: 'ended',
} satisfies Record<WorkloadView, string>
