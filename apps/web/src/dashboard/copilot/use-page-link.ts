import { useCallback } from 'react'
import { useSearchParams, type To } from 'react-router'

/** A page that an answer names, `/dashboard/cost?by=team`, as a link of this dashboard or its demo. */
export function usePageLink(): (page: string) => To {
  const [search] = useSearchParams()
  const cluster = search.get('cluster')
  return useCallback((page) => pageLink(page, cluster), [cluster])
}

/** Keeps the cluster that is looked at where the page names none. Only pages of the dashboard can come out of it. */
export function pageLink(page: string, cluster: string | null): { readonly pathname: string; readonly search: string } {
  const [path = '', query = ''] = page.split('#')[0]?.split('?') ?? []
  const kept = new URLSearchParams(query)
  if (cluster !== null && !kept.has('cluster')) kept.set('cluster', cluster)
  const below = path.replace(/^\/dashboard(?=\/|$)/u, '').replace(/^\/*/u, '/')
  return { pathname: below, search: String(kept) }
}
