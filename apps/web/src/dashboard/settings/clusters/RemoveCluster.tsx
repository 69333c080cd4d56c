import { useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { TypedConfirm } from '../../form/TypedConfirm.tsx'

type Props = {
  readonly connection: Answer<'connectionsList'>['connections'][number]
  readonly removed: () => void
}

/** Says what goes and what stays, and removes a cluster once its name was typed. */
export function RemoveCluster({ connection: { id, name }, removed }: Props) {
  const [shown, setShown] = useState(false)
  const [deleteUsage, setDeleteUsage] = useState(false)
  if (!shown) {
    return (
      <div className="border-t border-line pt-4">
        <Button onClick={() => setShown(true)}>Remove this cluster…</Button>
      </div>
    )
  }
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
      cancel={() => setShown(false)}
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
