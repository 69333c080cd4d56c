import { plural } from '@septet/domain/words'

import type { Answer } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { NoticeBox } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useOpenActions } from '../../acting/use-open-actions.ts'
import { useUrlState } from '../../address/url-state.ts'
import { chosenCluster, type Cluster } from '../../client/sources.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { PanelEmpty } from '../../panel/PanelEmpty.tsx'
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
  return <NoticeBox tone="quiet">{acting.because}</NoticeBox>
}

/** What new pods were told and given lately; nothing where the API server has never asked and cannot. */
function NewPods({ cluster }: { readonly cluster: string }) {
  const answer = useAnswer('admissionList', { cluster, limit: 5 }).data
  if (answer === undefined || (!answer.listening && answer.answers.length === 0)) return undefined
  const { warned, changed, unrecorded, interruption, answers } = answer
  return (
    <Panel title="New pods">
      <p className="text-13 text-ink-soft">
        In the last 30 days {plural(warned, 'pod')} with a whole GPU got a warning, and {changed} got a MIG instance
        instead. Right-size on auto lets Septet change pods whose namespace has the label septet.io/admission=mutate.
      </p>
      {(unrecorded ?? 0) > 0 && (
        <p className="mt-1 text-13 text-ink-soft">
          {plural(unrecorded ?? 0, 'answer')} since Septet started could not be stored because the database was
          unavailable for too long. The pods got them; the counts and the list do not include them.
        </p>
      )}
      {interruption !== null && <Interrupted {...interruption} />}
      <ul className="divide-y divide-line">
        {answers.map((each) => (
          <PodLine key={`${each.at} ${each.namespace}/${each.pod}`} told={each} />
        ))}
      </ul>
    </Panel>
  )
}

const Interrupted = ({ at, until, because }: NonNullable<Answer<'admissionList'>['interruption']>) => (
  <p className="mt-1 text-13 text-ink-soft wrap-anywhere">
    {until === null
      ? `The listener for new pods went down on ${dayTime(at)} and is restarting. Until it is back, pods are created as requested. `
      : `The listener for new pods went down on ${dayTime(at)} and was back on ${dayTime(until)}. Pods created in between stayed as requested. `}
    Cause: {because}
  </p>
)

const PodLine = ({ told }: { readonly told: Answer<'admissionList'>['answers'][number] }) => (
  <li className="py-2.5">
    <p className="flex flex-wrap items-baseline gap-x-2 text-13">
      <span className="font-medium wrap-anywhere">
        {told.namespace}/{told.pod}
      </span>
      <Badge tone="secondary">{told.kind === 'changed' ? 'Changed' : 'Warned'}</Badge>
      <span className="text-12 text-ink-soft">{dayTime(told.at)}</span>
    </p>
    <p className="text-12 text-ink-soft wrap-anywhere">{told.said}</p>
  </li>
)
