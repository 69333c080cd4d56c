import { plural } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'

type Node = Answer<'partitionsList'>['nodes'][number]

/** How a node is cut and by whom, what mig-manager says came of it, and what is out of reach. */
export function MigBadges({ node }: { readonly node: Node }) {
  const { mig, sharing, gpus, actuator } = node
  const slices = strandedOn(node)
  const isMig = gpus.some(({ mode }) => mode === 'mig')
  return (
    <span className="flex flex-wrap gap-1">
      {isMig && <Badge tone="secondary">{actuator === 'dra' ? 'DRA' : mig.strategy}</Badge>}
      {mig.config !== null && (
        <span className="inline-flex max-w-full min-w-0 items-center rounded-control bg-sunken px-1.5 py-px text-12 text-ink-soft">
          <bdi className="truncate">{mig.config}</bdi>
        </span>
      )}
      <ChangeState state={mig.state} />
      {sharing !== null && <Badge tone="secondary">{sharing}</Badge>}
      {slices > 0 && <Badge tone="secondary">{`${plural(slices, 'compute slice')} stranded`}</Badge>}
    </span>
  )
}

const strandedOn = ({ stranded }: Node): number => (stranded === null ? 0 : stranded.structural + stranded.byPlacement)

/** What mig-manager is doing; success is what is expected, and is not said. */
function ChangeState({ state }: Pick<Node['mig'], 'state'>) {
  if (state === 'failed') return <Badge tone="destructive">MIG change failed</Badge>
  if (state === 'pending' || state === 'rebooting') return <Badge tone="warning">{`MIG ${state}`}</Badge>
  return undefined
}
