import { listed, plural } from '@septet/domain/words'
import { useState } from 'react'
import { LIMITS } from 'virtual:limits/connectionsRename'

import { type Answer, type Order, tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import type { Sent } from '../../client/use-sending.ts'
import { Opened } from '../../form/Opened.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { SendForm } from '../../form/SendForm.tsx'
import { TypedConfirm } from '../../form/TypedConfirm.tsx'
import { Fact, FactList } from '../../panel/Facts.tsx'
import { SidePanel } from '../../panel/SidePanel.tsx'
import { ActorPart } from './ActorPart.tsx'
import { AgentTokenPart } from './AgentToken.tsx'
import { MetricsFields } from './MetricsFields.tsx'
import { metricsDraftOf, metricsOf } from './connection-draft.ts'

type Cluster = Answer<'clustersList'>['clusters'][number]
type Connection = Answer<'connectionsList'>['connections'][number]

type Props = {
  readonly cluster: Cluster
  readonly isAdmin: boolean
  readonly changed: () => void
  readonly close: () => void
}

/** One cluster: what is wrong with it, how it is reached, and what can be done about it. */
export function ClusterPanel({ cluster, isAdmin, changed, close }: Props) {
  return (
    <SidePanel title={cluster.name} lead="Cluster" onClose={close}>
      <Problems problems={cluster.problems} />
      {isAdmin ? (
        <Reached cluster={cluster} changed={changed} close={close} />
      ) : (
        <p className="text-13 text-ink-soft">Connection details are visible to admins.</p>
      )}
    </SidePanel>
  )
}

const Problems = ({ problems }: Pick<Cluster, 'problems'>) =>
  problems.length === 0 ? (
    <p className="text-13 text-ink-soft">No known problems.</p>
  ) : (
    <section aria-label="Problems" className="grid gap-2">
      <h3 className="text-13 font-semibold">Problems</h3>
      <ul className="grid gap-2">
        {problems.slice(0, SHOWN).map((problem) => (
          <li
            key={`${problem.code} ${problem.object}`}
            className="rounded-control bg-idle-soft px-3 py-2 text-13 wrap-anywhere"
          >
            {problem.message}
            <span className="block font-mono text-12 text-ink-soft">{problem.object}</span>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p className="text-12 text-ink-soft">and {problems.length - SHOWN} more</p>}
    </section>
  )

/** More than these tell nothing that the first do not. */
const SHOWN = 8

function Reached({ cluster, changed, close }: Omit<Props, 'isAdmin'>) {
  const connections = useAnswer('connectionsList', {})
  const connection = connections.data?.connections.find(({ id }) => id === cluster.id)
  if (connection === undefined) return undefined
  const changedHere = (): void => {
    changed()
    void connections.refetch()
  }
  return (
    <>
      <ConnectionFacts connection={connection} />
      {connection.origin === 'settings' ? (
        <>
          {connection.agent === null ? (
            <>
              <Opened verb="Change metrics source">
                {(closeForm) => <MetricsForm connection={connection} changed={changedHere} close={closeForm} />}
              </Opened>
              <ActorPart connection={connection} changed={changedHere} />
            </>
          ) : (
            <AgentPart connection={connection} agent={connection.agent} changed={changedHere} />
          )}
          <Opened verb="Rename">
            {(closeForm) => <Rename connection={connection} changed={changedHere} close={closeForm} />}
          </Opened>
          <Opened verb="Remove this cluster…" className="border-t border-line pt-4">
            {(cancel) => (
              <RemoveCluster
                connection={connection}
                cancel={cancel}
                removed={() => {
                  close()
                  changed()
                }}
              />
            )}
          </Opened>
        </>
      ) : (
        <p className="text-13 text-ink-soft">{FIXED_WORDS[connection.origin]}</p>
      )}
    </>
  )
}

const FIXED_WORDS = {
  environment: 'Set by environment variables (SEPTET_KUBECONFIG and related). Change it there.',
  demo: 'This is the demo cluster. Set SEPTET_DEMO=off to run without it.',
} as const

const ConnectionFacts = ({ connection }: { readonly connection: Connection }) => (
  <section aria-label="Connection" className="grid gap-2">
    <h3 className="text-13 font-semibold">Connection</h3>
    <FactList>
      <Fact name="Source">{ORIGIN_WORDS[connection.origin]}</Fact>
      {connection.server !== null && <Fact name="API server">{connection.server}</Fact>}
      <Fact name="Signs in by">{connection.signsInBy}</Fact>
      <Fact name="Metrics">{metricsWords(connection)}</Fact>
      {connection.agent === null && <Fact name="GPU Operator in">{connection.operatorNamespace}</Fact>}
      {connection.origin !== 'settings' && <Fact name="Changes">{changesWords(connection)}</Fact>}
      {connection.addedAt !== null && (
        <Fact name="Added">
          {dayTime(connection.addedAt)} by {connection.addedBy}
        </Fact>
      )}
    </FactList>
  </section>
)

const changesWords = ({ actor }: Connection): string =>
  actor === null ? 'none: it is only read' : `what you approve, by ${actor.signsInBy}`

function metricsWords(connection: Connection): string {
  const { origin, prometheusUrl, exporterTargets } = connection
  if (origin === 'demo') return 'its own exporters'
  if (connection.agent !== null) return 'read by its agent'
  if (exporterTargets.length > 0)
    return plural(exporterTargets.length, 'dcgm-exporter address', 'dcgm-exporter addresses')
  if (prometheusUrl === null) return 'none: utilization is not measured'
  const tenant = connection.prometheusTenant === null ? '' : `, tenant ${connection.prometheusTenant}`
  const matchers = connection.prometheusMatchers === null ? '' : `, series with ${connection.prometheusMatchers}`
  const user = connection.prometheusUser === null ? '' : `, as ${connection.prometheusUser}`
  const region = connection.prometheusAwsRegion === null ? '' : `, signed for ${connection.prometheusAwsRegion}`
  const shown = SHOWN_SECRETS.filter(([name]) => connection.prometheusSecrets.includes(name)).map(([, words]) => words)
  return `${prometheusUrl}${tenant}${matchers}${user}${region}${shown.length === 0 ? '' : `, with ${listed(shown)}`}`
}

const SHOWN_SECRETS = [
  ['prometheusToken', 'a token'],
  ['prometheusHeaders', 'headers'],
  ['prometheusCert', 'a client certificate'],
] as const

type PartProps = { readonly connection: Connection; readonly changed: () => void }

type FormProps = PartProps & { readonly close: () => void }

const Rename = ({ connection: { id, name }, changed, close }: FormProps) => (
  <SchemaForm
    className=""
    limits={LIMITS}
    value={{ id, name }}
    fields={[{ at: 'name', label: 'Name' }]}
    submit="Rename"
    cancel={close}
    send={async (order: Order<'connectionsRename'>) => {
      await tell('connectionsRename', order)
      changed()
      close()
      return { done: `Renamed to ${order.name}. Links and stored usage are kept.` }
    }}
  />
)

/** Who decided that a cluster is watched. */
const ORIGIN_WORDS = {
  environment: 'set by environment',
  settings: 'an admin, here',
  demo: 'Septet, as a demo',
} as const satisfies Record<Answer<'connectionsList'>['connections'][number]['origin'], string>

/** Where the metrics of a cluster are, to be changed without adding it again. */
function MetricsForm({ connection, changed, close }: FormProps) {
  const [draft, setDraft] = useState(() => metricsDraftOf(connection))
  const send = async (): Promise<Sent> => {
    await tell('connectionsMetrics', { id: connection.id, ...metricsOf(draft) })
    changed()
    close()
    return { done: `Saved. ${connection.name} is reconnecting.` }
  }
  return (
    <SendForm className="" send={send} submit="Save" cancel={close}>
      <MetricsFields draft={draft} change={setDraft} kept={connection.prometheusSecrets} />
    </SendForm>
  )
}

type AgentProps = PartProps & { readonly agent: NonNullable<Connection['agent']> }

/** The agent that reads a cluster from inside: where it runs, how far it has read, and another token for it. */
function AgentPart({ connection: { id, name }, agent, changed }: AgentProps) {
  const [token, setToken] = useState<string>()
  const { busy, problem, send } = useCommand('connectionsRotate', {
    after: ({ agentToken }) => {
      setToken(agentToken)
      changed()
    },
    done: () => `The old token no longer works. Start the agent of ${name} with the new one.`,
  })
  return (
    <section aria-label="Agent" className="grid gap-2">
      <h3 className="text-13 font-semibold">Agent</h3>
      <p className="text-13 text-ink-soft">
        An agent inside this cluster sends its readings here. It only reads: Septet recommends changes but cannot make
        them.
      </p>
      <FactList>
        <Fact name="Runs on">{agent.host ?? 'has not reported yet'}</Fact>
        {agent.version !== null && <Fact name="Version">{agent.version}</Fact>}
        {agent.since !== null && <Fact name="Since">{dayTime(agent.since)}</Fact>}
        {agent.seenAt !== null && <Fact name="Last reported">{dayTime(agent.seenAt)}</Fact>}
        {agent.readTo !== null && <Fact name="Read up to">{dayTime(agent.readTo)}</Fact>}
      </FactList>
      {token === undefined ? (
        <div>
          <Button aria-disabled={busy} onClick={() => send({ id })}>
            Replace the token
          </Button>
        </div>
      ) : (
        <AgentTokenPart made={{ cluster: name, token }} close={() => setToken(undefined)} />
      )}
      <ProblemBox words={problem} />
    </section>
  )
}

type RemoveProps = { readonly connection: Connection; readonly removed: () => void; readonly cancel: () => void }

/** Says what goes and what stays, and removes a cluster once its name was typed. */
function RemoveCluster({ connection: { id, name }, removed, cancel }: RemoveProps) {
  const [deleteUsage, setDeleteUsage] = useState(false)
  return (
    <TypedConfirm
      title="Remove this cluster"
      name={name}
      called="name"
      verb={['Remove', 'Removing…']}
      facts={whatGoes(deleteUsage)}
      send={async (confirm) => {
        await tell('connectionsRemove', { id, confirm, deleteUsage })
        removed()
        return { done: `Stopped watching ${name}.` }
      }}
      cancel={cancel}
    >
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={deleteUsage}
          onChange={(event) => setDeleteUsage(event.target.checked)}
          className="size-4 accent-(--accent)"
        />
        Also delete its usage data. This cannot be undone.
      </label>
    </TypedConfirm>
  )
}

const whatGoes = (deleteUsage: boolean) =>
  [
    [
      'Deleted',
      `its credentials, inventory, findings, recommendations and what was said no to${deleteUsage ? ', and its usage' : ''}`,
    ],
    [
      'Kept',
      deleteUsage
        ? 'the audit log'
        : 'its usage, until data retention drops it (adding the same API server again continues it), and the audit log',
    ],
    ['Not affected', 'the cluster itself: nothing in it changes'],
  ] as const
