import { QueryClientProvider } from '@tanstack/react-query'
import { Tooltip } from 'radix-ui'
import { useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'

import { LiveUpdates } from './dashboard/LiveUpdates.tsx'
import { Shell } from './dashboard/shell/Shell.tsx'
import { SummaryPage } from './dashboard/summary/SummaryPage.tsx'
import { makeQueryClient } from './query-client.ts'
import { NotFound } from './site/NotFound.tsx'
import { SliceTextures } from './ui/SliceTextures.tsx'

/** Every route of the product, and what all of them share. */
export function App() {
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
        <SliceTextures />
        <BrowserRouter>
          <Routes>
            <Route path="dashboard" element={<Dashboard />}>
              <Route index element={<SummaryPage />} />
            </Route>
            <Route path="*" element={<NotFound />} />
          </Routes>
        </BrowserRouter>
      </Tooltip.Provider>
    </QueryClientProvider>
  )
}

const Dashboard = () => (
  <LiveUpdates>
    <Shell />
  </LiveUpdates>
)
