import { useReducer, type KeyboardEvent } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useUrlChoice } from '../address/url-state.ts'
import { afterStep, NO_DRAFT, type DraftHistory, type DraftStep } from './draft-history.ts'
import { draftedGpus, type DraftGpu } from './layout-draft.ts'
import { LayoutEditor } from './LayoutEditor.tsx'
import { GpuPicker } from './GpuPicker.tsx'
import { PlanRequest } from './PlanRequest.tsx'

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
