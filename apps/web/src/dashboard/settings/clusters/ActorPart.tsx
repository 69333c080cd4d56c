import { useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formText } from '../../../ui/form-text.ts'
import { useCommand } from '../../client/use-command.ts'
import type { Sent } from '../../client/use-sending.ts'
import { Opened } from '../../form/Opened.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { SendForm } from '../../form/SendForm.tsx'
import { KubeconfigField } from './KubeconfigField.tsx'

type Connection = Answer<'connectionsList'>['connections'][number]
type Props = { readonly connection: Connection; readonly changed: () => void }

/** By what Septet may change a cluster, and how an admin gives or takes that. */
export function ActorPart({ connection, changed }: Props) {
  return (
    <section aria-label="Changes" className="grid gap-2">
      <h3 className="text-13 font-semibold">Changes</h3>
      <p className="text-13 text-ink-soft">
        {connection.actor === null
          ? 'Septet has read-only access to this cluster. Give it a write account to apply what you approve.'
          : `Septet can apply what you approve. Its actor signs in by ${connection.actor.signsInBy} and keeps its Lease in the namespace ${connection.actor.namespace}.`}
      </p>
      <Opened
        verb={connection.actor === null ? 'Let Septet act here' : 'Replace the credentials'}
        beside={connection.actor !== null && <TakeAway connection={connection} changed={changed} />}
      >
        {(close) => <ActorForm connection={connection} changed={changed} close={close} />}
      </Opened>
    </section>
  )
}

function ActorForm({ connection: { id, name, actor }, changed, close }: Props & { readonly close: () => void }) {
  const [draft, setDraft] = useState<{ readonly kubeconfig: string; readonly context: string | undefined }>({
    kubeconfig: '',
    context: undefined,
  })
  const send = async (data: FormData): Promise<Sent> => {
    const { kubeconfig, context } = draft
    if (kubeconfig.trim() === '') return { problem: 'Paste the kubeconfig of the actor’s account first.' }
    const namespace = formText(data, 'namespace').trim() || 'septet'
    await tell('connectionsActor', { id, kubeconfig, namespace, ...(context === undefined ? {} : { context }) })
    changed()
    close()
    return { done: `Septet can now act on ${name}. Set limits under Settings → What Septet may do.` }
  }
  return (
    <SendForm className="" send={send} submit="Save" cancel={close}>
      <p className="text-13 text-ink-soft">
        Apply <code className="font-mono text-12">deploy/actor-base.yaml</code> and one{' '}
        <code className="font-mono text-12">deploy/actor-*.yaml</code> for each kind of change, and make a kubeconfig of
        that ServiceAccount. Whatever it allows, nothing changes until someone approves it or sets a class to Auto.
      </p>
      <KubeconfigField draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
      <Field
        label="Namespace of Septet in this cluster"
        name="namespace"
        defaultValue={actor?.namespace ?? 'septet'}
        note="For its Lease and its stop switch, the ConfigMap septet-stop."
        autoComplete="off"
      />
    </SendForm>
  )
}

function TakeAway({ connection: { id, name }, changed }: Props) {
  const { busy, problem, send } = useCommand('connectionsActor', {
    after: changed,
    done: () => `${name} is read-only again and the credentials are deleted.`,
  })
  return (
    <>
      <Button aria-disabled={busy} onClick={() => send({ id, kubeconfig: null })}>
        Make read-only
      </Button>
      <ProblemBox words={problem} />
    </>
  )
}
