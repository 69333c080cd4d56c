import { plural } from '@septet/domain/words'
import { type KeyboardEvent, useId, useReducer } from 'react'

import type { Answer } from '../../api.ts'
import { SlotRow } from '../../geometry/SlotRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useUrlChoice } from '../address/url-state.ts'
import { LayoutEditor } from './LayoutEditor.tsx'
import { PlanAsk } from './PlanAsk.tsx'
import { afterStep, type DraftHistory, type DraftStep, NO_DRAFT } from './draft-history.ts'
import { draftedGpus, type DraftGpu, mustMove, targetOf, type Targets } from './layout-draft.ts'

type Node = Answer<'partitionsList'>['nodes'][number]
type Props = { readonly node: Node; readonly gpus: readonly DraftGpu[]; readonly cluster: string | undefined }

/** A target layout for the GPUs of one node, edited under the rules of the board, and the plan that would bring it about. */
export function LayoutWorkshop({ node, gpus, cluster }: Props) {
  const [history, step] = useReducer(afterStep, NO_DRAFT)
  const [wanted, choose] = useUrlChoice('gpu')
  const editable = gpus.filter(({ board }) => board !== undefined)
  const chosen = editable.find(({ view }) => String(view.index) === wanted) ?? editable[0]
  const changed = draftedGpus(gpus, history.targets, node.actuator)
  if (chosen === undefined) {
    return (
      <Panel title="Target layout">
        <p className="py-2 text-13 text-ink-soft">
          No GPU on {node.node} supports MIG, or the MIG layouts of {node.model} are not published.
        </p>
      </Panel>
    )
  }
  return (
    <>
      <Panel
        title="Target layout"
        aside={<HistoryButtons history={history} changed={changed.length > 0} step={step} />}
      >
        <div role="presentation" onKeyDown={(event) => undoByKey(event, step)} className="grid gap-5">
          <Advice node={node} />
          <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[minmax(13rem,17rem)_minmax(0,1fr)]">
            <GpuPicker
              gpus={editable}
              chosen={chosen}
              targets={history.targets}
              actuator={node.actuator}
              onChoose={(gpu) => choose(String(gpu.view.index), { replace: true })}
            />
            <LayoutEditor
              key={chosen.view.id}
              gpu={chosen}
              gpus={gpus}
              actuator={node.actuator}
              targets={history.targets}
              step={step}
            />
          </div>
          <output className="sr-only">{history.said}</output>
        </div>
      </Panel>
      <PlanRequest node={node} cluster={cluster} changed={changed} targets={history.targets} />
    </>
  )
}

/** ⌘Z or Ctrl-Z takes the last wish back, with shift it makes it again. */
function undoByKey(event: KeyboardEvent, step: (step: DraftStep) => void): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
  event.preventDefault()
  step({ kind: event.shiftKey ? 'redo' : 'undo' })
}

type HistoryProps = {
  readonly history: DraftHistory
  readonly changed: boolean
  readonly step: (step: DraftStep) => void
}

const HistoryButtons = ({ history, changed, step }: HistoryProps) => (
  <div className="flex flex-wrap items-center gap-1.5">
    <Button aria-disabled={history.past.length === 0} onClick={() => step({ kind: 'undo' })}>
      Undo
    </Button>
    <Button aria-disabled={history.future.length === 0} onClick={() => step({ kind: 'redo' })}>
      Redo
    </Button>
    <Button
      aria-disabled={!changed}
      onClick={() => {
        if (changed) step({ kind: 'wish', targets: {}, said: 'All GPUs are reset to their current layout.' })
      }}
    >
      Start over
    </Button>
  </div>
)

/** What whoever cuts this node does with a layout, before a minute is spent on drawing one. */
const Advice = ({ node: { actuator, mig, sharing } }: { readonly node: Node }) => (
  <div className="grid max-w-3xl gap-1 text-13 text-ink-soft">
    <p>
      {actuator === 'dra'
        ? 'A DRA driver serves this node: instances change one at a time and stay where you place them.'
        : 'mig-manager partitions this node: it repartitions a changed GPU as a whole, so everything running on it must leave, and it chooses the placements itself. Only the number of each profile matters.'}
    </p>
    {actuator === 'mig-manager' && mig.strategy === 'single' && (
      <p>
        This node’s MIG strategy is single: all its GPUs need the same layout of equal instances. Use “Apply to all
        GPUs”.
      </p>
    )}
    {actuator === 'mig-manager' && mig.strategy === 'none' && (
      <p>This node’s MIG strategy is none, so it advertises no MIG devices. Set it to mixed first.</p>
    )}
    {sharing !== null && <p>Its GPUs are shared ({sharing}); end the sharing before you repartition them.</p>}
  </div>
)

type PlanRequestProps = {
  readonly node: Answer<'partitionsList'>['nodes'][number]
  readonly cluster: string | undefined
  readonly changed: readonly DraftGpu[]
  readonly targets: Targets
}

/** Hands the target over to the planner and shows what it would take. */
function PlanRequest({ node, cluster, changed, targets }: PlanRequestProps) {
  const wanted = changed.map((gpu) => {
    const { mig, layout } = targetOf(gpu, targets)
    return {
      gpu: gpu.view.id,
      mig,
      instances: layout.map(({ profile, placement }) => ({ profile, start: placement.start })),
    }
  })
  const nothing = changed.length === 0
  return (
    <Panel title="Plan">
      <div className="grid gap-4">
        <p className="max-w-3xl text-13 text-ink-soft">
          The planner tries every step on a copy of the cluster under all guardrails. Drafting changes nothing.
        </p>
        <PlanAsk
          goal={nothing ? undefined : { kind: 'layout', targets: wanted }}
          cluster={cluster}
          label="Draft plan"
          note={
            nothing
              ? `Change the layout of a GPU first: ${node.node} has no changes.`
              : `${plural(changed.length, 'GPU changes', 'GPUs change')} on ${node.node}.`
          }
        />
      </div>
    </Panel>
  )
}

type GpuPickerProps = {
  readonly gpus: readonly DraftGpu[]
  readonly chosen: DraftGpu
  readonly targets: Targets
  readonly actuator: 'mig-manager' | 'dra'
  readonly onChoose: (gpu: DraftGpu) => void
}

/** The GPUs of the node, each with its target in small; one is edited at a time. */
function GpuPicker({ gpus, chosen, targets, actuator, onChoose }: GpuPickerProps) {
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
