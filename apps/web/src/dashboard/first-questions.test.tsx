import { hashKey, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { prerender } from 'react-dom/static'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

import { ASKED_AHEAD, firstQueries } from './ScreensAhead.tsx'
import { ActionsPage } from './actions/ActionsPage.tsx'
import { BROWSER_ZONE } from './address/range-choice.ts'
import { AlertsPage } from './alerts/AlertsPage.tsx'
import { CostPage } from './cost/CostPage.tsx'
import { FleetPage } from './fleet/FleetPage.tsx'
import { PartitionsPage } from './partitions/PartitionsPage.tsx'
import { SCREENS } from './screens.tsx'
import { SummaryPage } from './summary/SummaryPage.tsx'
import { WorkloadsPage } from './workloads/WorkloadsPage.tsx'

const PAGES: Readonly<Record<(typeof ASKED_AHEAD)[number], ComponentType>> = {
  '': SummaryPage,
  fleet: FleetPage,
  partitions: PartitionsPage,
  workloads: WorkloadsPage,
  cost: CostPage,
  actions: ActionsPage,
  alerts: AlertsPage,
}

/** The keys of all that a screen asks when it is opened at an address, its panels that load later included. */
async function askedBy(Page: ComponentType, address: string): Promise<ReadonlySet<string>> {
  const queryClient = new QueryClient()
  await prerender(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return new Set(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryHash }) => queryHash),
  )
}

test.each(ASKED_AHEAD)('what is asked ahead of /%s is what the screen asks', async (path) => {
  const at = { cluster: 'demo', range: '7d' as const, zone: BROWSER_ZONE }
  const ahead = firstQueries(path, at, new QueryClient()).map(({ queryKey }) => hashKey(queryKey))
  const asked = await askedBy(PAGES[path], `/${path}?cluster=demo&range=7d`)
  expect(ahead.filter((key) => !asked.has(key))).toEqual([])
  expect(ahead.length).toBeGreaterThan(0)
})

test('every screen that is asked ahead is one', () =>
  expect(['', ...SCREENS.map(({ path }) => path)]).toEqual(expect.arrayContaining(ASKED_AHEAD)))
