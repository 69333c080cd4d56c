import { useId } from 'react'

import { SlotRow } from '../../geometry/SlotRow.tsx'
import { draftedGpus, mustMove, targetOf, type DraftGpu, type Targets } from './layout-draft.ts'

type Props = {
  readonly gpus: readonly DraftGpu[]
  readonly chosen: DraftGpu
  readonly targets: Targets
  readonly actuator: 'mig-manager' | 'dra'
  readonly onChoose: (gpu: DraftGpu) => void
}

/** The GPUs of the node, each with its target in small; one is edited at a time. */
export function GpuPicker({ gpus, chosen, targets, actuator, onChoose }: Props) {
  const name = useId()
  const changed = new Set(draftedGpus(gpus, targets, actuator).map(({ view }) => view.id))
  return (
    <fieldset className="grid content-start gap-1">
      <legend className="pb-1 text-12 text-ink-quiet">GPU to edit</legend>
      {gpus.map((gpu) => {
        const target = targetOf(gpu, targets)
        const isChanged = changed.has(gpu.view.id)
        const leaving = isChanged ? mustMove(gpu, target, actuator).length : 0
        return (
          <label
            key={gpu.view.id}
            className="grid cursor-pointer gap-1 rounded-control border border-transparent px-2 py-1.5 hover:bg-sunken/60 has-[:checked]:border-line has-[:checked]:bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
          >
            <span className="flex items-baseline justify-between gap-3 text-12">
              <span>
                <input
                  type="radio"
                  name={name}
                  checked={gpu === chosen}
                  onChange={() => onChoose(gpu)}
                  className="sr-only"
                />
                <span className="font-mono font-medium">GPU {gpu.view.index}</span>
              </span>
              <span className={isChanged ? 'text-idle-ink' : 'text-ink-soft'}>
                {stateWords(gpu, isChanged, leaving)}
              </span>
            </span>
            {gpu.board !== undefined && target.mig ? (
              <SlotRow board={gpu.board} layout={target.layout} look={isChanged ? 'strong' : 'quiet'} />
            ) : (
              <span className="block h-3.5 rounded-[2px] border-[1.5px] border-(--free) text-center font-mono text-[9px] leading-2.5 text-ink-soft">
                whole
              </span>
            )}
          </label>
        )
      })}
    </fieldset>
  )
}

function stateWords({ now, view }: DraftGpu, isChanged: boolean, leaving: number): string {
  if (view.fault !== null) return 'fault'
  if (isChanged) return leaving === 0 ? 'changed' : `changed, ${leaving} must move`
  return now === undefined ? 'layout unknown' : 'as it is'
}
