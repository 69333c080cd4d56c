import { useNavigate, useSearchParams } from 'react-router'

import type { Answer } from '../../api.ts'
import { keptWith } from '../address/To.tsx'

type Found = Answer<'searchFind'>['found'][number]

/** Opens what was found, on the screen that shows it, with the cluster and the range that are chosen. */
export function usePlaces(): (one: Found) => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (one) => {
    const { path, name } = PLACES[one.kind]
    void navigate({ pathname: path, search: keptWith(search, { [name]: one.id }) })
  }
}

/** Which screen shows what, and the parameter that names it there. */
const PLACES = {
  node: { path: '/fleet', name: 'q' },
  gpu: { path: '/fleet', name: 'gpu' },
  workload: { path: '/workloads', name: 'workload' },
  namespace: { path: '/workloads', name: 'namespace' },
} as const satisfies Record<Found['kind'], { readonly path: string; readonly name: string }>
