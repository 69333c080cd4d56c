import { MINUTE_MS } from '@septet/domain/units'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Tooltip } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router'

import { isNotReady, ProblemError } from '../api.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Protected } from '../session/Protected.tsx'
import type { PageBase } from '../session/page-base.ts'
import { PlaceContext } from '../session/place-context.ts'
import { LoadedLater } from '../ui/LoadedLater.tsx'
import { SliceTextures } from '../ui/SliceTextures.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { LiveUpdates } from './client/LiveUpdates.tsx'
import { NotFound } from './panel/NotFound.tsx'
import { LOGIN_SCREEN, SCREENS } from './screens.tsx'
import { Shell } from './shell/Shell.tsx'
import { SummaryPage } from './summary/SummaryPage.tsx'

/** It has nothing to do before the first screen stands. Without it every screen is fetched when it is opened. */
const ScreensAhead = lazy(() =>
  import('./ScreensAhead.tsx').then(
    (module) => ({ default: module.ScreensAhead }),
    () => ({ default: () => null }),
  ),
)

/** Every route of the dashboard, and what all of them share. The demo has the same ones, and nobody signed in. */
export function App({ base }: { readonly base: PageBase }) {
  const [queryClient] = useState(makeQueryClient)
  const pages = (
    <LiveUpdates>
      <Pages base={base} />
    </LiveUpdates>
  )
  return (
    <PlaceContext value={base}>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
          <SliceTextures />
          {base.demo ? (
            pages
          ) : (
            <AuthProvider>
              <Protected>{pages}</Protected>
            </AuthProvider>
          )}
          <Toasts />
        </Tooltip.Provider>
      </QueryClientProvider>
    </PlaceContext>
  )
}

const Pages = ({ base }: { readonly base: PageBase }) => (
  // What the address says is on the screen at once: a field that it keeps would else show its old text for a moment, and
  // a button pressed in that moment would act on the old one.
  <BrowserRouter basename={base.path} useTransitions={false}>
    <Suspense>
      <ScreensAhead />
    </Suspense>
    <Routes>
      {!base.demo && <Route path={LOGIN_SCREEN.path} element={LOGIN_SCREEN.element} />}
      <Route element={<Shell />}>
        <Route
          index
          element={
            <LoadedLater key="summary" name="The summary">
              <SummaryPage />
            </LoadedLater>
          }
        />
        <Route path="settings" element={<Navigate to="/settings/account" replace />} />
        {SCREENS.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  </BrowserRouter>
)

/** One cache for the page. What asking again will not mend is not retried. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 5 * MINUTE_MS,
        staleTime: MINUTE_MS / 4,
        retry: (failures, error) => failures < 3 && !isSettled(error),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        // Septet often runs on loopback, where a browser that calls itself offline can still reach it.
        networkMode: 'always',
      },
    },
  })

/** A mistake in the question stays one (4xx); an answer that is not ready yet is asked for at its own pace. */
const isSettled = (error: Error): boolean =>
  isNotReady(error) || (error instanceof ProblemError && error.problem.status < 500)
