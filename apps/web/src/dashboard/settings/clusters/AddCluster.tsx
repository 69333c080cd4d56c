import { useState, type ReactNode } from 'react'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { Problem } from '../../form/Problem.tsx'
import { useSending } from '../../client/use-sending.ts'
import { EMPTY_DRAFT, wishOf, type ConnectionDraft } from './connection-draft.ts'
import { KubeconfigField } from './KubeconfigField.tsx'
import { MetricsFields } from './MetricsFields.tsx'
import { TestSteps } from './TestSteps.tsx'
import { useConnectionTest } from './use-connection-test.ts'

const KINDS = [
  { value: 'kubeconfig', label: 'Kubeconfig' },
  { value: 'in-cluster', label: 'The cluster that Septet runs in' },
] as const

type Props = { readonly close: () => void; readonly added: (id: string) => void }

/** Adds a cluster: how it is reached, where its metrics are, a test step by step, and its name. */
export function AddCluster({ close, added }: Props) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const testing = useConnectionTest()
  const change = (part: Partial<ConnectionDraft>): void => {
    setDraft({ ...draft, ...part })
    // What was tested is not what stands there any more.
    testing.forget()
  }
  const { busy, problem, run } = useSending()
  const lacking =
    draft.kind === 'kubeconfig' && draft.kubeconfig.trim() === '' ? 'Paste a kubeconfig first.' : undefined
  const test = (): Promise<void> =>
    run(async () => {
      await testing.begin(draft)
      return undefined
    })
  return (
    <Panel title="Add a cluster" aside={<Button onClick={close}>Cancel</Button>}>
      <div className="grid max-w-3xl gap-6">
        <Part number={1} title="How it is reached">
          <Reach draft={draft} change={change} />
        </Part>
        <Part number={2} title="Where its metrics are">
          <MetricsFields draft={draft} change={change} />
        </Part>
        <Part number={3} title="Test the connection">
          <div className="grid gap-3">
            <p className="text-13 text-ink-soft">Nothing in the cluster changes, and nothing is kept yet.</p>
            <div className="flex flex-wrap items-center gap-3">
              <Button
                aria-disabled={lacking !== undefined || busy}
                onClick={() => {
                  if (lacking === undefined && !busy) void test()
                }}
              >
                {testing.test === undefined ? 'Test the connection' : 'Test again'}
              </Button>
              {lacking !== undefined && <span className="text-12 text-ink-soft">{lacking}</span>}
            </div>
            <Problem words={problem} />
            {testing.test !== undefined && <TestSteps test={testing.test} />}
          </div>
        </Part>
        <Part number={4} title="Name it and begin">
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
  readonly change: (change: Partial<ConnectionDraft>) => void
}

function Reach({ draft, change }: ReachProps) {
  const inCluster = useAnswer('connectionsList', {}).data?.inCluster
  return (
    <div className="grid gap-3">
      <div className="justify-self-start">
        <Segmented label="How it is reached" options={KINDS} value={draft.kind} onChange={(kind) => change({ kind })} />
      </div>
      {draft.kind === 'kubeconfig' ? (
        <KubeconfigField draft={draft} change={change} />
      ) : (
        <p className="text-13 text-ink-soft">
          {inCluster === false
            ? 'Septet does not run in a pod here, so there is no cluster around it: this needs a kubeconfig.'
            : 'By the service account of Septet’s own pod. Its token stays where Kubernetes puts it, and is renewed there.'}
        </p>
      )}
    </div>
  )
}

type AddProps = {
  readonly draft: ConnectionDraft
  readonly lacking: string | undefined
  readonly tested: boolean
  readonly added: (id: string) => void
}

function NameAndAdd({ draft, lacking, tested, added }: AddProps) {
  const [name, setName] = useState('')
  const { busy, problem, run } = useSending()
  const reason = lacking ?? (name.trim() === '' ? 'Give it a name.' : undefined)
  const add = (): Promise<void> =>
    run(async () => {
      const { connection, continues } = await tell('connectionsAdd', { name: name.trim(), ...wishOf(draft) })
      added(connection.id)
      const goesOn = continues ? ' Its usage that was stored before goes on.' : ''
      return { done: `${connection.name} is watched now.${goesOn}` }
    })
  return (
    <div className="grid gap-3">
      <div className="max-w-sm">
        <Field
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={63}
          autoComplete="off"
        />
      </div>
      <Problem words={problem} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look={reason === undefined ? 'strong' : 'outline'}
          aria-disabled={reason !== undefined || busy}
          onClick={() => {
            if (reason === undefined && !busy) void add()
          }}
        >
          {busy ? 'Adding…' : 'Add the cluster'}
        </Button>
        <span className="text-12 text-ink-soft">
          {reason ?? (tested ? 'It is watched at once, without a restart.' : 'It was not tested as it stands.')}
        </span>
      </div>
    </div>
  )
}
