import { useNavigate, useSearchParams } from 'react-router'

import type { Answer } from '../../api.ts'

type Found = Answer<'searchFind'>['found'][number]

/** Opens what was found, on the screen that shows it, with the cluster and the range that are chosen. */
export function usePlaces(): (one: Found) => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (one) => {
    const { path, name } = PLACES[one.kind]
    const kept = keptOf(search)
    kept.set(name, one.id)
    void navigate({ pathname: path, search: String(kept) })
  }
}

/** The cluster and the range that are chosen, for an address that says the rest itself. */
export function keptOf(search: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const choice of KEPT) {
    const value = search.get(choice)
    if (value !== null) kept.set(choice, value)
  }
  return kept
}

const KEPT = ['cluster', 'range', 'from', 'to', 'zone'] as const

/** Which screen shows what, and the parameter that names it there. */
const PLACES = {
  node: { path: '/fleet', name: 'q' },
  gpu: { path: '/fleet', name: 'gpu' },
  workload: { path: '/workloads', name: 'workload' },
  namespace: { path: '/workloads', name: 'namespace' },
} as const satisfies Record<Found['kind'], { readonly path: string; readonly name: string }>
