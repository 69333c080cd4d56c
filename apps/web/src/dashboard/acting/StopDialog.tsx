import { useState } from 'react'

import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { ReasonedForm } from '../form/ReasonedForm.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { useSending } from '../client/use-sending.ts'
import { Confirm } from '../form/Confirm.tsx'
import { useActionsAnew } from './use-open-actions.ts'

type Props = {
  readonly cluster: { readonly id: string; readonly name: string }
  readonly mayEverywhere: boolean
  readonly onClose: () => void
}

/** The kill switch: the second press, with the reason that everybody will read. */
export function StopDialog({ cluster, mayEverywhere, onClose }: Props) {
  const [everywhere, setEverywhere] = useState(false)
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const stop = (reason: string): Promise<void> =>
    run(async () => {
      await tell('actingStop', { cluster: cluster.id, everywhere, reason })
      await anew()
      onClose()
      return { done: `Stopped: Septet writes nothing to ${everywhere ? 'any cluster' : cluster.name}.` }
    })
  return (
    <Confirm title="Stop acting" onClose={onClose}>
      <p className="text-ink-soft">
        Septet stops writing immediately. Running actions freeze as they are, even half done, until an admin resumes.
      </p>
      {mayEverywhere && (
        <Segmented
          label="Where acting stops"
          value={everywhere ? 'everywhere' : 'here'}
          options={[
            { value: 'here', label: `On ${cluster.name}` },
            { value: 'everywhere', label: 'On every cluster' },
          ]}
          onChange={(value) => setEverywhere(value === 'everywhere')}
        />
      )}
      <ReasonedForm
        label="Why"
        note="Shown on every screen while acting is stopped."
        className="grid gap-3"
        send={(reason) => void stop(reason)}
      >
        <ProblemBox words={problem} />
        <div className="flex flex-wrap gap-2">
          <button
            type="submit"
            disabled={busy}
            className="inline-flex h-10 items-center rounded-control bg-fault-ink px-4 text-14 font-medium text-paper transition-opacity hover:opacity-85 disabled:cursor-progress disabled:opacity-60"
          >
            {busy ? 'Stopping…' : everywhere ? 'Stop acting everywhere' : 'Stop acting now'}
          </button>
          <Button className="h-10" onClick={onClose}>
            Keep acting
          </Button>
        </div>
      </ReasonedForm>
    </Confirm>
  )
}
