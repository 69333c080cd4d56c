import { lazy } from 'react'
import { Link, Outlet, useLocation } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { useMay } from '../acting/use-may.ts'
import { useOpenActions } from '../acting/use-open-actions.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { COPILOT_BUTTON } from '../copilot/CopilotButton.tsx'
import { CopilotProvider } from '../copilot/CopilotProvider.tsx'
import { useCopilot } from '../copilot/copilot-context.ts'
import { AgeNotice } from './AgeNotice.tsx'
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
            <AgeNotice />
            <Outlet />
          </main>
        </div>
        <CopilotSide />
      </div>
    </CopilotProvider>
  )
}

/** Above every screen of figures while no cluster is watched: what is shown instead, and the one next step. */
function NoClusterNotice() {
  const { demo } = usePlace()
  const isSettings = useLocation().pathname.startsWith('/settings')
  const clusters = useAnswer('clustersList', {}).data?.clusters
  const isWatching = clusters?.some(({ kind }) => kind !== 'sample') ?? true
  return demo || isSettings || isWatching ? undefined : <NoCluster sample={clusters?.[0]?.id} />
}

function NoCluster({ sample }: { readonly sample: string | undefined }) {
  const { cluster: wanted } = useUrlState()
  const isSample = sample !== undefined && (wanted ?? sample) === sample
  return (
    <div className="mb-4">
      <NoticeBox tone="quiet" action={<NextStep sample={isSample ? undefined : sample} />}>
        {isSample
          ? 'You do not have access to a cluster yet. You are looking at sample data.'
          : 'You do not have access to a cluster yet.'}
      </NoticeBox>
    </div>
  )
}

/** Admins add a cluster; everybody else asks one of them. Sample data is one press away where it is not shown yet. */
function NextStep({ sample }: { readonly sample: string | undefined }) {
  const { choose } = useUrlState()
  const role = useAnswer('sessionMe', {}).data?.role
  return (
    <span className="flex flex-wrap items-center gap-2">
      {sample !== undefined && <Button onClick={() => choose({ cluster: sample })}>View sample data</Button>}
      {role === 'admin' ? (
        <Link
          to="/settings/clusters?add=cluster"
          className="rounded-control text-accent-ink underline underline-offset-4"
        >
          Add a cluster
        </Link>
      ) : (
        <span className="text-ink-quiet">An admin can add one, in Settings → Clusters.</span>
      )}
    </span>
  )
}

const CopilotPanel = lazy(async () => ({ default: (await import('../copilot/CopilotPanel.tsx')).CopilotPanel }))

/** Where the co-pilot stands. Its script comes when it is first opened, for the figures come first. */
function CopilotSide() {
  const { isOpen } = useCopilot()
  if (!isOpen) return undefined
  return (
    <LoadedLater name="The co-pilot">
      <CopilotPanel giveFocusBack={() => document.querySelector<HTMLElement>(`#${COPILOT_BUTTON}`)?.focus()} />
    </LoadedLater>
  )
}

// Every screen has a place for it, and on most days nothing to put there.
const StopNotices = lazy(async () => ({ default: (await import('../acting/StopNotices.tsx')).StopNotices }))

/** Above every screen while acting is stopped. */
const StopBanner = () => (useMay().see === true ? <Banner /> : undefined)

function Banner() {
  const { cluster } = useUrlState()
  const list = useOpenActions(cluster).data
  if (list === undefined || list.acting.stops.length === 0) return undefined
  return (
    <LoadedLater name="Acting is stopped. The notice with who did that, and why,">
      <StopNotices list={list} />
    </LoadedLater>
  )
}
