import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LIMITS } from 'virtual:limits/connectionsAdd'

import { ask, tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { type FieldOf, SchemaFields } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import type { MadeAgentToken } from './AgentToken.tsx'
import { KubeconfigField } from './KubeconfigField.tsx'
import { MetricsFields } from './MetricsFields.tsx'
import { type Test, TestSteps } from './TestSteps.tsx'
import { type ConnectionDraft, EMPTY_DRAFT, connectionWish } from './connection-draft.ts'

const KINDS = [
  { value: 'kubeconfig', label: 'Kubeconfig' },
  { value: 'in-cluster', label: 'The cluster Septet runs in' },
  { value: 'agent', label: 'An agent inside it' },
] as const

type Props = { readonly close: () => void; readonly added: (made: MadeAgentToken | undefined) => void }

/** Adds a cluster: how it is reached, where its metrics are, a test step by step, and its name. */
export function AddCluster({ close, added }: Props) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const testing = useConnectionTest()
  const change = (edit: (before: ConnectionDraft) => ConnectionDraft): void => {
    setDraft(edit)
    // What was tested is not what stands there any more.
    testing.forget()
  }
  const lacking =
    draft.kind === 'kubeconfig' && draft.kubeconfig.trim() === '' ? 'Paste a kubeconfig first.' : undefined
  return (
    <Panel title="Add a cluster" aside={<Button onClick={close}>Cancel</Button>}>
      <div className="grid max-w-3xl gap-6">
        <Part number={1} title="How it is reached">
          <Reach draft={draft} change={change} />
        </Part>
        {draft.kind !== 'agent' && (
          <>
            <Part number={2} title="Where its metrics are">
              <Metrics draft={draft} change={change} />
            </Part>
            <Part number={3} title="Test connection">
              <Test draft={draft} lacking={lacking} testing={testing} />
            </Part>
          </>
        )}
        <Part number={draft.kind === 'agent' ? 2 : 4} title="Name it">
          <NameAndAdd draft={draft} lacking={lacking} tested={testing.test?.done === true} added={added} />
        </Part>
      </div>
    </Panel>
  )
}

type PartProps = { readonly number: number; readonly title: string; readonly children: ReactNode }

const Part = ({ number, title, children }: PartProps) => (
  <section aria-label={title} className="grid gap-3 sm:grid-cols-[1.75rem_minmax(0,1fr)]">
    <span aria-hidden className="font-mono text-13 text-ink-quiet max-sm:hidden">
      {number}
    </span>
    <div className="min-w-0">
      <h3 className="mb-2.5 text-13 font-semibold">{title}</h3>
      {children}
    </div>
  </section>
)

type ReachProps = {
  readonly draft: ConnectionDraft
  readonly change: (edit: (before: ConnectionDraft) => ConnectionDraft) => void
}

function Reach({ draft, change }: ReachProps) {
  const inCluster = useAnswer('connectionsList', {}).data?.inCluster
  return (
    <div className="grid gap-3">
      <div className="justify-self-start">
        <Segmented
          label="How it is reached"
          options={KINDS}
          value={draft.kind}
          onChange={(kind) => change((before) => ({ ...before, kind }))}
        />
      </div>
      {draft.kind === 'kubeconfig' && (
        <KubeconfigField draft={draft} change={(part) => change((before) => ({ ...before, ...part }))} />
      )}
      {draft.kind === 'in-cluster' && (
        <p className="text-13 text-ink-soft">
          {inCluster === false
            ? 'Septet is not running in a pod here, so it needs a kubeconfig.'
            : 'Uses the service account of Septet’s own pod. Kubernetes renews its token.'}
        </p>
      )}
      {draft.kind === 'agent' && (
        <p className="text-13 text-ink-soft">
          Runs in the cluster, reads it and its metrics, and sends what it reads here. No kubeconfig leaves the cluster,
          and nothing has to reach into it. Septet cannot change a cluster through an agent.
        </p>
      )}
    </div>
  )
}

const Metrics = ({ draft, change }: ReachProps) => (
  <div className="grid gap-4">
    <MetricsFields draft={draft} change={change} />
    <div className="max-w-sm">
      <SchemaFields limits={LIMITS} fields={OPERATOR} value={draft} change={change} />
    </div>
  </div>
)

const OPERATOR: readonly FieldOf<ConnectionDraft>[] = [
  { at: 'operatorNamespace', label: 'Namespace of the GPU Operator', note: 'OpenShift: nvidia-gpu-operator.' },
]

type TestProps = {
  readonly draft: ConnectionDraft
  readonly lacking: string | undefined
  readonly testing: ReturnType<typeof useConnectionTest>
}

function Test({ draft, lacking, testing }: TestProps) {
  const { busy, problem, run } = useSending()
  const test = (): Promise<void> =>
    run(async () => {
      await testing.begin(draft)
      return undefined
    })
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-soft">Testing changes nothing and saves nothing.</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          aria-disabled={lacking !== undefined || busy}
          onClick={() => {
            if (lacking === undefined && !busy) void test()
          }}
        >
          {testing.test === undefined ? 'Test connection' : 'Test again'}
        </Button>
        {lacking !== undefined && <span className="text-12 text-ink-soft">{lacking}</span>}
      </div>
      <ProblemBox words={problem} />
      {testing.test !== undefined && <TestSteps test={testing.test} />}
    </div>
  )
}

type AddProps = {
  readonly draft: ConnectionDraft
  readonly lacking: string | undefined
  readonly tested: boolean
  readonly added: (made: MadeAgentToken | undefined) => void
}

const NAME: readonly FieldOf<{ readonly name: string }>[] = [{ at: 'name', label: 'Name' }]

const NameAndAdd = ({ draft, lacking, tested, added }: AddProps) => (
  <SchemaForm
    className=""
    limits={LIMITS}
    value={{ name: '' }}
    fields={NAME}
    submit="Add the cluster"
    send={async ({ name }) => {
      if (lacking !== undefined) return { problem: lacking }
      const { connection, continues, agentToken } = await tell('connectionsAdd', { name, ...connectionWish(draft) })
      added(agentToken === null ? undefined : { cluster: connection.name, token: agentToken })
      const goesOn = continues ? ' Its stored usage continues.' : ''
      const waits = agentToken === null ? 'is now watching' : 'waits for the agent of'
      return { done: `Septet ${waits} ${connection.name}.${goesOn}` }
    }}
  >
    {() => <p className="text-12 text-ink-soft">{lacking ?? addWords(draft, tested)}</p>}
  </SchemaForm>
)

function addWords({ kind }: ConnectionDraft, tested: boolean): string {
  if (kind === 'agent') return 'Shows the token of the agent and how to start it.'
  return tested ? 'Septet starts watching right away. No restart needed.' : 'Not tested with these settings.'
}

const LOOK_MS = 350

type ConnectionTest = {
  /** Undefined before the first, and once what was tested has changed. */
  readonly test: Test | undefined
  begin(draft: ConnectionDraft): Promise<void>
  forget(): void
}

/** A connection test that goes on at the server, looked at until it is done. */
function useConnectionTest(): ConnectionTest {
  const [id, setId] = useState<string>()
  const { data } = useQuery({
    queryKey: ['connectionsTested', id ?? ''],
    queryFn: ({ signal }) => ask('connectionsTested', { id }, signal),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data?.done === true ? false : LOOK_MS),
  })
  return {
    test: id === undefined ? undefined : (data ?? { done: false, steps: [] }),
    begin: async (draft) => setId((await tell('connectionsTest', connectionWish(draft))).id),
    forget: () => setId(undefined),
  }
}
