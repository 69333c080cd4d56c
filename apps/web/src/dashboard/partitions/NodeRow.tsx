import type { GpuView } from '@septet/contract'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { GpuCard } from '../../ui/GpuCard.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { Availability } from '../gpu/Availability.tsx'
import { MigBadges } from './MigBadges.tsx'

type Node = Answer<'partitionsList'>['nodes'][number]

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 md:grid-cols-[13rem_minmax(0,1fr)_auto] xl:grid-cols-[16rem_minmax(0,1fr)_auto]'
const NUMBERS = 'grid grid-cols-[auto_auto] items-center gap-x-3 text-right sm:grid-cols-[5.5rem_5rem_5.5rem]'

/** What the columns are, where there is room to say so. */
export const NodeHead = () => (
  <div aria-hidden className={`${ROW} pb-1.5 text-12 text-ink-quiet max-md:hidden`}>
    <span>Node</span>
    <span>GPUs, drawn to scale</span>
    <span className={NUMBERS}>
      <span>Used</span>
      <span>Busy, 1 h</span>
      <span>Available</span>
    </span>
  </div>
)

/** One node: its GPUs to scale, how it is cut and by whom, what is used and what is left. */
export const NodeRow = ({ node, open }: { readonly node: Node; readonly open: (node: string) => void }) => (
  <div className={`${ROW} min-h-17 gap-y-2 py-2.5`}>
    <div className="grid min-w-0 gap-0.5">
      <button
        type="button"
        onClick={() => open(node.node)}
        className="-mx-1 max-w-full justify-self-start truncate rounded-[4px] px-1 text-left text-13 font-medium underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-solid"
      >
        <bdi>{node.node}</bdi>
      </button>
      <span className="text-12 wrap-anywhere text-ink-quiet md:truncate">
        {node.gpus.length > 1 && `${node.gpus.length} × `}
        {node.model}
        {node.pool !== '' && (
          <>
            {' · '}
            <bdi>{node.pool}</bdi>
          </>
        )}
      </span>
      <MigBadges node={node} />
    </div>
    <Bars gpus={node.gpus} />
    <div className={NUMBERS}>
      <span className="figure font-mono text-12 text-ink-soft max-sm:hidden">
        {node.used} of {node.total}
      </span>
      <span>
        <FigureText figure={node.utilization} name={`How busy ${node.node} was`} />
      </span>
      <span>
        <Availability node={node} />
      </span>
    </div>
  </div>
)

/** Where a row will be once its page is there. */
export const NodeWaiting = () => (
  <div className={`${ROW} min-h-17 py-2.5`} aria-hidden>
    <span className="waits h-8 w-32 rounded-control bg-sunken" />
    <span className="waits h-5 rounded-control bg-sunken max-md:col-span-2" />
    <span />
  </div>
)

const COLUMNS = 4

/** Up to four beside each other, as wide as their memory slices: one memory slice is as wide in every row. */
const Bars = ({ gpus }: { readonly gpus: readonly GpuView[] }) => (
  <ul className="grid grid-cols-4 gap-x-3 max-md:order-last max-md:col-span-2">
    {gpus.map((gpu) => (
      <li key={gpu.id} className="min-w-0">
        <Hint content={<GpuCard gpu={gpu} />}>
          <button
            type="button"
            className="grid min-h-6 content-center rounded-[3px] text-left"
            style={{ width: gpu.mode === 'mig' ? `${Math.min(1, gpu.slots / WIDEST) * 100}%` : '100%' }}
          >
            <SliceBar gpu={gpu} height={gpus.length > COLUMNS ? 14 : 20} />
          </button>
        </Hint>
      </li>
    ))}
  </ul>
)

/** Most boards have 8 memory slices; an A30 has 4 and is drawn half as wide. */
const WIDEST = 8
