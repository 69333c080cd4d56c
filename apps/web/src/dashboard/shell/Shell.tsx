import { Outlet } from 'react-router'

import { CopilotProvider } from '../copilot/CopilotProvider.tsx'
import { CopilotSide } from '../copilot/CopilotSide.tsx'
import { StopBanner } from '../acting/StopBanner.tsx'
import { NoClusterNotice } from './NoClusterNotice.tsx'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'

/** The frame around every screen of the dashboard. */
export function Shell() {
  return (
    <CopilotProvider>
      <div className="flex min-h-dvh">
        <a
          href="#main"
          className="sr-only z-50 rounded-control bg-ink px-3 py-2 text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to main content
        </a>
        <Rail />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-[1480px] flex-1 has-data-bleed:max-w-none px-4 pt-6 pb-12 outline-none sm:px-7"
          >
            <StopBanner />
            <NoClusterNotice />
            <Outlet />
          </main>
        </div>
        <CopilotSide />
      </div>
    </CopilotProvider>
  )
}
