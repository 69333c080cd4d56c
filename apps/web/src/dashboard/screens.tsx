import { lazy, type ComponentType, type ReactNode } from 'react'

import { LoadedLater } from '../ui/LoadedLater.tsx'

type Screen = {
  readonly path: string
  readonly element: ReactNode
  /** Fetches its script, if it is not there yet. */
  readonly load: () => Promise<unknown>
}

function screen(path: string, name: string, load: () => Promise<ComponentType>): Screen {
  const Page = lazy(async () => ({ default: await load() }))
  const element = (
    // By its name: what failed of one screen is not said of the next.
    <LoadedLater key={name} name={name}>
      <Page />
    </LoadedLater>
  )
  return { path, element, load }
}

/** Every screen behind the first one, by its path. Their scripts come when they are opened, or shortly before. */
export const SCREENS: readonly Screen[] = [
  screen('fleet', 'The fleet', async () => (await import('./fleet/FleetPage.tsx')).FleetPage),
  screen('partitions', 'The partitions', async () => (await import('./partitions/PartitionsPage.tsx')).PartitionsPage),
  screen('workloads', 'The workloads', async () => (await import('./workloads/WorkloadsPage.tsx')).WorkloadsPage),
  screen('ask', 'Asking', async () => (await import('./ask/AskPage.tsx')).AskPage),
  screen('cost', 'The cost', async () => (await import('./cost/CostPage.tsx')).CostPage),
  screen('actions', 'The actions', async () => (await import('./actions/ActionsPage.tsx')).ActionsPage),
  screen('actions/savings', 'The savings', async () => (await import('./actions/ledger/SavingsPage.tsx')).SavingsPage),
  screen('actions/what-if', 'The scenarios', async () => (await import('./actions/WhatIfPage.tsx')).WhatIfPage),
  screen('clusters', 'All clusters', async () => (await import('./clusters/AllClustersPage.tsx')).AllClustersPage),
  screen('alerts', 'The alerts', async () => (await import('./alerts/AlertsPage.tsx')).AlertsPage),
  screen('settings/:section', 'The settings', async () => (await import('./settings/SettingsPage.tsx')).SettingsPage),
]

/** One decision, with nothing of the dashboard around it. */
export const LOGIN_SCREEN = screen(
  'login',
  'The sign-in',
  async () => (await import('./settings/login/LoginPage.tsx')).LoginPage,
)
