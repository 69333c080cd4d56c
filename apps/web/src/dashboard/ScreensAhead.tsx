import { type QueryClient, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'

import { usePlace } from '../session/place-context.ts'
import { type UrlState, useUrlState } from './address/url-state.ts'
import { useLive } from './client/live-context.ts'
import { answerQuery, type AskState } from './client/use-answer.ts'
import { fleetQuery } from './fleet/fleet-query.ts'
import { SCREENS } from './screens.tsx'

/** As long without a question as it takes to know that the screen has all its answers. */
const QUIET_MS = 500
let isDone = false

/**
 * Opening a screen should wait for nothing. Once the open one has its answers, the scripts and first answers of the others
 * are fetched, one screen after the other while nobody needs the browser; those of a screen whose link somebody points at
 * are fetched at once. Not for somebody who saves data, and not while nothing may be asked for by itself.
 */
export function ScreensAhead() {
  const fetchAhead = useFetchAhead()
  const isAsking = useIsFetching() > 0
  const { paused, closed } = useLive()
  const rests = paused || closed || savesData()
  useEffect(() => {
    if (isAsking || isDone || rests) return undefined
    const timer = setTimeout(() => {
      isDone = true
      void fetchAll(fetchAhead)
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [fetchAhead, isAsking, rests])
  const { path: base } = usePlace()
  useEffect(() => {
    if (rests) return undefined
    const point = ({ target }: Event): void => {
      const link = target instanceof Element ? target.closest(`a[href^="${base}"]`) : null
      if (link instanceof HTMLAnchorElement) void fetchAhead(link.pathname.slice(base.length).replace(/^\//u, ''))
    }
    const events = ['pointerover', 'focusin', 'touchstart'] as const
    for (const event of events) document.addEventListener(event, point, { passive: true })
    return () => {
      for (const event of events) document.removeEventListener(event, point)
    }
  }, [base, fetchAhead, rests])
  return null
}

type FetchAhead = (path: string) => Promise<unknown>

/** Fetches what a screen needs for the source and range that are looked at now. What is there and fresh is left. */
function useFetchAhead(): FetchAhead {
  const queryClient = useQueryClient()
  const { cluster, range, zone } = useUrlState()
  return useCallback(
    (path) => {
      const script = SCREENS.find((screen) => screen.path === path)?.load()
      const answers = isAskedAhead(path) ? firstQueries(path, { cluster, range, zone }, queryClient) : []
      // What does not come now comes when the screen is opened, or says there why not.
      return Promise.allSettled([script, ...answers.map((query) => queryClient.prefetchQuery(query))])
    },
    [queryClient, cluster, range, zone],
  )
}

async function fetchAll(fetchAhead: FetchAhead): Promise<void> {
  // Keys that are pressed before the palette is there would be lost.
  await import('./palette/Palette.tsx').catch(() => undefined)
  for (const path of new Set([...ASKED_AHEAD, ...SCREENS.map((screen) => screen.path)])) {
    await idle()
    await fetchAhead(path)
  }
}

// Safari has no idle callback.
const idle = (): Promise<unknown> =>
  new Promise((done) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(done, { timeout: 5000 })
    else setTimeout(done, 200)
  })

const savesData = (): boolean => {
  const { connection }: { connection?: { readonly saveData?: boolean } } = Object(navigator)
  return connection?.saveData === true
}

type At = Pick<UrlState, 'cluster' | 'range' | 'zone'>

/** What each screen asks first when nothing is chosen on it, by its path; first-questions.test.tsx opens them all. */
const FIRST = {
  '': ({ cluster, range, zone }: At) => [
    answerQuery('summaryGet', { cluster, range, zone }),
    answerQuery('utilizationTrend', { cluster, range }),
    answerQuery('partitionsList', { cluster, limit: 8 }),
    answerQuery('workloadsList', { cluster, status: 'running', limit: 5 }),
    answerQuery('workloadsList', { cluster, status: 'queued', sort: 'duration', limit: 5 }),
    answerQuery('recommendationsList', { cluster, limit: 3 }),
    answerQuery('costMonths', { cluster }),
    answerQuery('queueWaits', { cluster, range, limit: 1 }),
  ],
  fleet: ({ cluster }: At, queryClient: QueryClient) => [fleetQuery(queryClient, cluster)],
  partitions: ({ cluster }: At) => [answerQuery('partitionsList', { cluster, mig: 'true', limit: 40, offset: 0 })],
  workloads: ({ cluster, range }: At) => [
    answerQuery('workloadsList', { cluster, range, status: 'all', sort: 'idleCost', order: 'down', limit: 300 }),
  ],
  cost: ({ cluster, range, zone }: At) => [
    answerQuery('costBreakdown', { cluster, range, zone, by: 'namespace' }),
    answerQuery('costDays', { cluster, range, zone }),
  ],
  actions: ({ cluster }: At) => [answerQuery('recommendationsList', { cluster, dismissed: 'show', limit: 500 })],
  alerts: ({ cluster }: At) => [answerQuery('alertsList', { cluster, days: '7' })],
}
export const ASKED_AHEAD = Object.keys(FIRST).filter(isAskedAhead)

function isAskedAhead(path: string): path is keyof typeof FIRST {
  return Object.hasOwn(FIRST, path)
}

/** The queries of a screen, to be asked before it is opened. */
export const firstQueries = (
  path: keyof typeof FIRST,
  at: At,
  queryClient: QueryClient,
): readonly AskState<unknown>[] => FIRST[path](at, queryClient)
