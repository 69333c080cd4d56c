import { lazy } from 'react'

import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useMay } from './use-may.ts'
import { useOpenActions } from './use-open-actions.ts'

// Every screen has a place for it, and on most days nothing to put there.
const StopNotices = lazy(async () => ({ default: (await import('./StopNotices.tsx')).StopNotices }))

/** Above every screen while acting is stopped. */
export const StopBanner = () => (useMay().see === true ? <Banner /> : undefined)

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
