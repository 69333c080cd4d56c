import type { ReactNode } from 'react'
import { lazy } from 'react'

import { LoadedLater } from '../ui/LoadedLater.tsx'

const load = {
  fleet: async () => ({ default: (await import('./fleet/FleetPage.tsx')).FleetPage }),
  partitions: async () => ({ default: (await import('./partitions/PartitionsPage.tsx')).PartitionsPage }),
  workloads: async () => ({ default: (await import('./workloads/WorkloadsPage.tsx')).WorkloadsPage }),
  cost: async () => ({ default: (await import('./cost/CostPage.tsx')).CostPage }),
  actions: async () => ({ default: (await import('./actions/ActionsPage.tsx')).ActionsPage }),
  whatIf: async () => ({ default: (await import('./actions/WhatIfPage.tsx')).WhatIfPage }),
  alerts: async () => ({ default: (await import('./alerts/AlertsPage.tsx')).AlertsPage }),
  settings: async () => ({ default: (await import('./settings/SettingsPage.tsx')).SettingsPage }),
}
const FleetPage = lazy(load.fleet)
const PartitionsPage = lazy(load.partitions)
const WorkloadsPage = lazy(load.workloads)
const CostPage = lazy(load.cost)
const ActionsPage = lazy(load.actions)
const WhatIfPage = lazy(load.whatIf)
const AlertsPage = lazy(load.alerts)
const SettingsPage = lazy(load.settings)

// Keys that are pressed before it is there would be lost.
const loadPalette = (): Promise<unknown> => import('./palette/Palette.tsx')

const later = (name: string, page: ReactNode): ReactNode => (
  // By its name: what failed of one screen is not said of the next.
  <LoadedLater key={name} name={name}>
    {page}
  </LoadedLater>
)

/** Every screen behind the first one, by its path. Their scripts come when they are opened. */
export const SCREENS: readonly { readonly path: string; readonly element: ReactNode }[] = [
  { path: 'fleet', element: later('The fleet', <FleetPage />) },
  { path: 'partitions', element: later('The partitions', <PartitionsPage />) },
  { path: 'workloads', element: later('The workloads', <WorkloadsPage />) },
  { path: 'cost', element: later('The cost', <CostPage />) },
  { path: 'actions', element: later('The actions', <ActionsPage />) },
  { path: 'actions/what-if', element: later('The scenarios', <WhatIfPage />) },
  { path: 'alerts', element: later('The alerts', <AlertsPage />) },
  { path: 'settings/:section', element: later('The settings', <SettingsPage />) },
]

/** Fetches them one after the other while nobody needs the browser, so that opening one waits for its figures alone. */
export async function fetchScreens(): Promise<void> {
  for (const page of [loadPalette, ...Object.values(load)]) {
    await idle()
    // One that does not come now comes when it is opened, or says there why not.
    await page().catch(() => undefined)
  }
}

// Safari has no idle callback.
const idle = (): Promise<unknown> =>
  new Promise((done) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(done, { timeout: 5000 })
    else setTimeout(done, 200)
  })
