import type { ReactNode } from 'react'
import { lazy } from 'react'

import { LoadedLater } from '../ui/LoadedLater.tsx'

const FleetPage = lazy(async () => ({ default: (await import('./fleet/FleetPage.tsx')).FleetPage }))
const PartitionsPage = lazy(async () => ({ default: (await import('./partitions/PartitionsPage.tsx')).PartitionsPage }))
const WorkloadsPage = lazy(async () => ({ default: (await import('./workloads/WorkloadsPage.tsx')).WorkloadsPage }))
const CostPage = lazy(async () => ({ default: (await import('./cost/CostPage.tsx')).CostPage }))
const ActionsPage = lazy(async () => ({ default: (await import('./actions/ActionsPage.tsx')).ActionsPage }))
const WhatIfPage = lazy(async () => ({ default: (await import('./actions/WhatIfPage.tsx')).WhatIfPage }))
const AlertsPage = lazy(async () => ({ default: (await import('./alerts/AlertsPage.tsx')).AlertsPage }))
const SettingsPage = lazy(async () => ({ default: (await import('./settings/SettingsPage.tsx')).SettingsPage }))

const later = (name: string, page: ReactNode): ReactNode => <LoadedLater name={name}>{page}</LoadedLater>

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
