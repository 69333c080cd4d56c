import { plural } from '@septet/domain/words'
import { geometryWords, geometryOf, type Board, type PlacedInstance } from '@septet/domain'
import { useState } from 'react'
import { span, cutVerdictWords } from '../../geometry/partition-words.ts'
import { slotColumns, slotPlace } from '../../geometry/SlotRow.tsx'
import { Button } from '../../ui/Button.tsx'
import type { DraftStep } from './draft-history.ts'
import {
  forAll,
  mustMove,
  targetOf,
  type DraftCut,
  type DraftGpu,
  type Targets,
  type HeldPart,
} from './layout-draft.ts'
import { PlacementMenu } from './PlacementMenu.tsx'
import { TargetBar } from './TargetBar.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { useWidth } from '../../ui/use-width.ts'

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
  const wish = (cut: DraftCut, said: string): void =>
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

const targetWords = (board: Board, { mig, layout }: DraftCut): string =>
  mig ? cutVerdictWords(board, layout) : 'Not partitioned: a whole GPU, not in MIG mode.'

const Leaving = ({ count: pods, actuator }: { readonly count: number; readonly actuator: Props['actuator'] }) =>
  pods > 0 && (
    <strong className="font-medium text-idle-ink">
      {plural(pods, 'holder')} must move
      {actuator === 'mig-manager' ? ', as mig-manager repartitions the whole GPU' : ''}.
    </strong>
  )

type ToolProps = Pick<Props, 'gpu' | 'gpus' | 'targets' | 'step'> & {
  readonly target: DraftCut
  readonly wish: (cut: DraftCut, said: string) => void
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

type NowBarProps = { readonly gpu: DraftGpu; readonly leaving: readonly HeldPart[] }

/** The GPU as it is held now; whoever would have to leave for the target is underlined, and named. */
function NowBar({ gpu, leaving }: NowBarProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const { view } = gpu
  return (
    <div ref={frame} className="grid gap-1">
      <p className="text-12 text-ink-quiet">GPU {view.index} now</p>
      <SliceBar gpu={view} height={30} {...(width === undefined ? {} : { width })} />
      <div aria-hidden className="grid min-h-1 gap-[3px]" style={slotColumns(view.slots)}>
        {leaving.map(({ instance }, order) => (
          <span
            key={instance?.placement.start ?? `whole-${order}`}
            className="row-start-1 h-1 rounded-full bg-(--idle)"
            style={instance === undefined ? { gridColumn: '1 / -1' } : slotPlace(instance.placement)}
          />
        ))}
      </div>
      {leaving.length > 0 && (
        <p className="text-12 text-idle-ink wrap-anywhere">
          Must move:{' '}
          {leaving.map((part) => `${partWords(part)} (${part.holder ?? 'a namespace you cannot see'})`).join(', ')}
        </p>
      )}
    </div>
  )
}

const partWords = ({ instance }: HeldPart): string =>
  instance === undefined ? 'the whole GPU' : `${instance.profile} at ${instance.placement.start}`
