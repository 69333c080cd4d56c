import { short } from '@septet/domain/words'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Answer } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { ago } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useUrlChoice } from '../../address/url-state.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useSource } from '../../client/use-source.ts'
import { Answered } from '../../panel/Answered.tsx'
import { mayAs } from '../../words/role-words.ts'
import { AddCluster } from './AddCluster.tsx'
import { AgentTokenPart, type MadeAgentToken } from './AgentToken.tsx'
import { ClusterPanel } from './ClusterPanel.tsx'

type Cluster = Answer<'clustersList'>['clusters'][number]

/** The clusters that are watched: how each is, and for admins adding, renaming and removing. */
export function ClustersPage() {
  const clusters = useAnswer('clustersList', {})
  const isAdmin = mayAs(useAnswer('sessionMe', {}).data?.role, 'admin')
  const [adding, setAdding] = useUrlChoice('add')
  const [openId, setOpen] = useUrlChoice('open')
  const opened = clusters.data?.clusters.find(({ id, kind }) => id === openId && kind !== 'sample')
  const changed = (): void => void clusters.refetch()
  const add = (
    <Button look="strong" onClick={() => setAdding('cluster')}>
      Add a cluster
    </Button>
  )
  return (
    <div className="grid gap-4">
      <Panel title="Watched clusters" aside={isAdmin && adding === undefined ? add : undefined}>
        <Answered answer={clusters}>{(data) => <Watched clusters={data.clusters} open={setOpen} />}</Answered>
        <AllClustersLink />
        {!isAdmin && <p className="mt-3 text-13 text-ink-soft">Only admins can add, rename or remove clusters.</p>}
      </Panel>
      {isAdmin && <Adding isOpen={adding !== undefined} close={() => setAdding(undefined)} changed={changed} />}
      {opened !== undefined && (
        <ClusterPanel
          key={opened.id}
          cluster={opened}
          isAdmin={isAdmin}
          changed={changed}
          close={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

const AllClustersLink = () =>
  useSource().chooseAll !== undefined && (
    <p className="mt-3 text-13">
      <Link to="/clusters" className="rounded-control text-accent-ink hover:underline">
        Totals and recommendations of all clusters
      </Link>
    </p>
  )

type AddingProps = { readonly isOpen: boolean; readonly close: () => void; readonly changed: () => void }

/** The form for another cluster, and after it what is shown once. */
function Adding({ isOpen, close, changed }: AddingProps) {
  const [made, setMade] = useState<MadeAgentToken>()
  // Known from the form already, without the new one.
  const connections = useAnswer('connectionsList', {})
  const added = (token: MadeAgentToken | undefined): void => {
    changed()
    void connections.refetch()
    close()
    setMade(token)
  }
  return (
    <>
      {made !== undefined && <AgentTokenPart made={made} close={() => setMade(undefined)} />}
      {isOpen && <AddCluster close={close} added={added} />}
    </>
  )
}

const COLUMNS = ['Cluster', 'State', 'Version', 'Nodes', 'GPUs', 'Last contact', 'Problems', '']

type WatchedProps = { readonly clusters: readonly Cluster[]; readonly open: (id: string) => void }

const Watched = ({ clusters, open }: WatchedProps) => (
  <Table caption="Clusters and their state" columns={COLUMNS} empty="No clusters yet. Add one to see its GPUs.">
    {clusters
      .filter(({ kind }) => kind !== 'sample')
      .map((cluster) => (
        <ClusterRow key={cluster.id} cluster={cluster} open={() => open(cluster.id)} />
      ))}
  </Table>
)

const DOTS = {
  connected: 'on',
  connecting: 'waiting',
  disconnected: 'fault',
  'not-live': 'off',
} as const satisfies Record<Cluster['state'], string>

function ClusterRow({ cluster, open }: { readonly cluster: Cluster; readonly open: () => void }) {
  const now = useNow()
  const problems = cluster.problems.length
  return (
    <Row>
      <Cell className="min-w-40 max-sm:font-medium">
        <span className="mr-2 font-medium wrap-anywhere">
          <bdi>{cluster.name}</bdi>
        </span>
        {cluster.kind === 'demo' && <Badge tone="secondary">demo</Badge>}
        <span className="block font-mono text-12 text-ink-quiet wrap-anywhere">{cluster.id}</span>
      </Cell>
      <Cell name="State" className="whitespace-nowrap">
        <span className="inline-flex items-center gap-1.5">
          <StateDot state={DOTS[cluster.state]} />
          {cluster.state}
        </span>
      </Cell>
      <Cell name="Version" className="font-mono whitespace-nowrap">
        {cluster.serverVersion ?? 'unknown'}
      </Cell>
      <Cell name="Nodes" className="font-mono">
        {countWords(cluster.nodes)}
      </Cell>
      <Cell name="GPUs" className="font-mono">
        {countWords(cluster.gpus)}
      </Cell>
      <Cell name="Last contact" className="whitespace-nowrap">
        {cluster.lastContact === null ? 'never' : ago(cluster.lastContact, now)}
      </Cell>
      <Cell name="Problems" className="whitespace-nowrap">
        {problems === 0 ? 'none' : <Badge tone="warning">{problems}</Badge>}
      </Cell>
      <Cell className="pr-0 text-right max-sm:pt-2">
        <Button aria-label={`Open ${cluster.name}`} onClick={open}>
          Open
        </Button>
      </Cell>
    </Row>
  )
}

const countWords = (count: number | null): string => (count === null ? 'unknown' : short(count))
