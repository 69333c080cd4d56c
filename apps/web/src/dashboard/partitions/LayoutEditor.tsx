import { plural } from '@septet/domain/words'
import { geometryWords, geometryOf, type Board, type PlacedInstance } from '@septet/domain'
import { useState } from 'react'

import { span, verdictWords } from '../../geometry/partition-words.ts'
import { Button } from '../../ui/Button.tsx'
import type { DraftStep } from './draft-history.ts'
import { forAll, mustMove, targetOf, type Cut, type DraftGpu, type Targets } from './layout-draft.ts'
import { NowBar } from './NowBar.tsx'
import { PlacementMenu } from './PlacementMenu.tsx'
import { TargetBar } from './TargetBar.tsx'

type Props = {
  readonly gpu: DraftGpu
  readonly gpus: readonly DraftGpu[]
  readonly actuator: 'mig-manager' | 'dra'
  readonly targets: Targets
  readonly step: (step: DraftStep) => void
}

/** One GPU: what it holds now, what it shall hold, and every place where a profile may go. */
export function LayoutEditor({ gpu, gpus, actuator, targets, step }: Props) {
  const [preview, setPreview] = useState<PlacedInstance>()
  const { board, view } = gpu
  if (board === undefined) return undefined
  const target = targetOf(gpu, targets)
  const leaving = mustMove(gpu, target, actuator)
  const wish = (cut: Cut, said: string): void =>
    step({ kind: 'wish', targets: { ...targets, [view.id]: cut }, said: `${said} ${targetWords(board, cut)}` })
  return (
    <div className="grid min-w-0 content-start gap-4">
      <NowBar gpu={gpu} leaving={leaving} />
      <TargetBar
        board={board}
        cut={target}
        preview={preview}
        onRemove={(gone) => {
          wish(
            { mig: true, layout: target.layout.filter((one) => one !== gone) },
            `${gone.profile} removed from ${span(gone.placement)}.`,
          )
        }}
      />
      <p className="min-h-10 max-w-3xl text-13 text-pretty">
        {targetWords(board, target)} <Leaving count={leaving.length} actuator={actuator} />
      </p>
      <PlacementMenu
        board={board}
        layout={target.mig ? target.layout : []}
        onPreview={setPreview}
        onPlace={(layout, said) => wish({ mig: true, layout }, said)}
        onRefused={(said) => step({ kind: 'say', said })}
      />
      <Tools {...{ gpu, gpus, target, targets, step, wish }} />
    </div>
  )
}

const targetWords = (board: Board, { mig, layout }: Cut): string =>
  mig ? verdictWords(board, layout) : 'Not partitioned: a whole GPU, not in MIG mode.'

const Leaving = ({ count: pods, actuator }: { readonly count: number; readonly actuator: Props['actuator'] }) =>
  pods > 0 && (
    <strong className="font-medium text-idle-ink">
      {plural(pods, 'holder')} must move
      {actuator === 'mig-manager' ? ', as mig-manager repartitions the whole GPU' : ''}.
    </strong>
  )

type ToolProps = Pick<Props, 'gpu' | 'gpus' | 'targets' | 'step'> & {
  readonly target: Cut
  readonly wish: (cut: Cut, said: string) => void
}

function Tools({ gpu, gpus, target, targets, step, wish }: ToolProps) {
  const { now, board } = gpu
  const all = forAll(gpus, target, targets)
  const others = gpus.filter(({ view }) => view.id !== gpu.view.id && all[view.id] === target)
  const what = geometryWords({ migEnabled: target.mig, geometry: geometryOf(target.layout) })
  if (board === undefined) return undefined
  return (
    <div className="flex flex-wrap gap-1.5">
      {others.length > 0 && (
        <Button onClick={() => step({ kind: 'wish', targets: all, said: `${others.length + 1} GPUs become ${what}.` })}>
          Apply to all {others.length + 1} GPUs of this node
        </Button>
      )}
      {now !== undefined && (
        <Button
          onClick={() => wish(now, 'Reset to the current layout.')}
        >{`Put GPU ${gpu.view.index} back as it is`}</Button>
      )}
      {(target.layout.length > 0 || !target.mig) && (
        <Button onClick={() => wish({ mig: true, layout: [] }, 'All instances removed.')}>
          {target.mig ? 'Clear' : 'Enable MIG'}
        </Button>
      )}
      {target.mig && <Button onClick={() => wish({ mig: false, layout: [] }, '')}>Disable MIG</Button>}
    </div>
  )
}
