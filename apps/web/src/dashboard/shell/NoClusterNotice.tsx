import { Link, useLocation } from 'react-router'

import { Button } from '../../ui/Button.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { usePlace } from '../../session/place-context.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'

/** Above every screen of figures while no cluster is watched: what is shown instead, and the one next step. */
export function NoClusterNotice() {
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
