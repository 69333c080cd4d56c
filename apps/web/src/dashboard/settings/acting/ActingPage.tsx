import { Notice } from '../../../ui/Notice.tsx'
import { useOpenActions } from '../../acting/use-open-actions.ts'
import { useUrlState } from '../../address/url-state.ts'
import { chosenCluster, type Cluster } from '../../client/sources.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { PanelEmpty } from '../../panel/PanelEmpty.tsx'
import { NewPods } from './NewPods.tsx'
import { PolicyForm } from './PolicyForm.tsx'

/** What each cluster lets Septet do. */
export function ActingPage() {
  const answer = useAnswer('clustersList', {})
  return (
    <Answered answer={answer}>
      {({ clusters }) => <ClusterPolicy clusters={clusters.filter(({ kind }) => kind !== 'sample')} />}
    </Answered>
  )
}

function ClusterPolicy({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const { cluster: wanted, choose } = useUrlState()
  const cluster = chosenCluster(clusters, wanted) ?? clusters[0]
  if (cluster === undefined) {
    return <PanelEmpty>No cluster connected. Add one in Settings → Clusters first.</PanelEmpty>
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      {clusters.length > 1 && (
        <ChoiceField
          inline
          label="Cluster"
          options={clusters.map(({ id, name }) => ({ value: id, label: name }))}
          value={cluster.id}
          onChange={(id) => choose({ cluster: id })}
        />
      )}
      <Policy key={cluster.id} cluster={cluster.id} />
    </div>
  )
}

function Policy({ cluster }: { readonly cluster: string }) {
  const answer = useAnswer('actPoliciesGet', { cluster })
  return (
    <Answered answer={answer}>
      {(view) => (
        <>
          <Hindrance cluster={cluster} />
          {/* The form begins anew with what is in force whenever that changes. */}
          <PolicyForm key={view.changedAt ?? 'never'} view={view} changed={answer.refetch} />
          <NewPods cluster={cluster} />
        </>
      )}
    </Answered>
  )
}

/** Why Septet changes nothing there, whatever it may. */
function Hindrance({ cluster }: { readonly cluster: string }) {
  const acting = useOpenActions(cluster).data?.acting
  // A stop has a banner of its own, on every screen.
  if (acting === undefined || acting.state === 'ready' || acting.state === 'stopped') return undefined
  return <Notice tone="quiet">{acting.because}</Notice>
}
