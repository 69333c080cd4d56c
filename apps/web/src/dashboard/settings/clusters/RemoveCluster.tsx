import { useId, useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../form/Problem.tsx'
import { useSending } from '../../client/use-sending.ts'

type Props = {
  readonly connection: Answer<'connectionsList'>['connections'][number]
  readonly removed: () => void
}

/** Says what goes and what stays, and removes a cluster once its name was typed. */
export function RemoveCluster(props: Props) {
  const [shown, setShown] = useState(false)
  if (shown) return <RemoveForm {...props} cancel={() => setShown(false)} />
  return (
    <div className="border-t border-line pt-4">
      <Button onClick={() => setShown(true)}>Remove this cluster…</Button>
    </div>
  )
}

function RemoveForm({ connection, removed, cancel }: Props & { readonly cancel: () => void }) {
  const [typed, setTyped] = useState('')
  const [deleteUsage, setDeleteUsage] = useState(false)
  const { busy, problem, run } = useSending()
  const noteId = useId()
  const { id, name } = connection
  const isMeant = typed.trim() === name
  const remove = (): Promise<void> =>
    run(async () => {
      await tell('connectionsRemove', { id, confirm: typed.trim(), deleteUsage })
      removed()
      return { done: `Stopped watching ${name}.` }
    })
  return (
    <section aria-label="Remove this cluster" className="grid gap-3 border-t border-line pt-4 text-13">
      <h3 className="font-semibold">Remove this cluster</h3>
      <WhatGoes deleteUsage={deleteUsage} />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={deleteUsage}
          onChange={(event) => setDeleteUsage(event.target.checked)}
          className="size-4 accent-(--accent)"
        />
        Also delete its usage data. This cannot be undone.
      </label>
      <Field
        label={`Type ${name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        verbatim
      />
      <Problem words={problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look={isMeant ? 'strong' : 'outline'}
          aria-disabled={!isMeant || busy}
          aria-describedby={isMeant ? undefined : noteId}
          className={isMeant ? 'bg-fault-ink' : ''}
          onClick={() => {
            if (isMeant) void remove()
          }}
        >
          {busy ? 'Removing…' : 'Remove'}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
        {!isMeant && (
          <span id={noteId} className="text-12 text-ink-soft">
            Type the name to confirm.
          </span>
        )}
      </div>
    </section>
  )
}

const WhatGoes = ({ deleteUsage }: { readonly deleteUsage: boolean }) => (
  <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[5.5rem_1fr]">
    <dt className="text-ink-soft">Deleted</dt>
    <dd>
      its credentials, inventory, findings, recommendations and what was said no to{deleteUsage && ', and its usage'}
    </dd>
    <dt className="text-ink-soft">Kept</dt>
    <dd>
      {deleteUsage
        ? 'the audit log'
        : 'its usage, until data retention drops it (adding the same API server again continues it), and the audit log'}
    </dd>
    <dt className="text-ink-soft">Not affected</dt>
    <dd>the cluster itself: nothing in it changes</dd>
  </dl>
)
