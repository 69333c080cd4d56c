import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { useUrlChoice } from '../address/url-state.ts'
import { EfficiencyPanel } from './EfficiencyPanel.tsx'
import { GoalView } from './GoalView.tsx'
import { NodeList } from './NodeList.tsx'
import { NodeView } from './NodeView.tsx'
import { RoomView } from './RoomView.tsx'
import { StrandedPanel } from './StrandedPanel.tsx'

const VIEWS = [
  { value: 'layouts', label: 'Layouts' },
  { value: 'room', label: 'What fits' },
  { value: 'stranded', label: 'Stranded' },
  { value: 'plan', label: 'Plan' },
] as const

/** Every MIG layout, what fits now, what is stranded, and what another layout would take. */
export function PartitionsPage() {
  const [node, open] = useUrlChoice('node')
  const [chosen, choose] = useUrlChoice('view')
  const view = VIEWS.find(({ value }) => value === chosen)?.value ?? 'layouts'
  usePageTitle(node === undefined ? 'Partitions · Septet' : `${node} · Partitions · Septet`)
  return (
    <>
      <ScreenHead
        title="Partitions"
        lead="How every GPU is partitioned, what fits now, what is stranded, and what a change takes."
        docs="using-the-dashboard#partitions"
        aside={
          node === undefined && (
            <Segmented
              label="View"
              options={VIEWS}
              value={view}
              onChange={(value) => choose(value === 'layouts' ? undefined : value)}
            />
          )
        }
      />
      {node === undefined ? (
        <View view={view} open={open} />
      ) : (
        <NodeView key={node} name={node} back={() => open(undefined)} />
      )}
    </>
  )
}

type ViewProps = { readonly view: (typeof VIEWS)[number]['value']; readonly open: (node: string) => void }

const View = ({ view, open }: ViewProps) => (
  <div className="grid gap-4">
    {(view === 'layouts' || view === 'stranded') && <EfficiencyPanel />}
    {view === 'layouts' && <NodeList open={open} />}
    {view === 'room' && <RoomView open={open} />}
    {view === 'stranded' && <StrandedPanel open={open} />}
    {view === 'plan' && <GoalView />}
  </div>
)
