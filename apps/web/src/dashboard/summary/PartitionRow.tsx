import type { GpuView } from '@septet/contract'
import { useId, useState } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { GpuCard } from '../../ui/GpuCard.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { ChevronRightIcon } from '../../ui/icons.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { Availability } from '../gpu/Availability.tsx'
import { NodeGpus } from '../gpu/NodeGpus.tsx'

type Node = Answer<'partitionsList'>['nodes'][number]
type Props = {
  readonly node: Node
  /** GPUs beside each other. */
  readonly columns: number
}

/** One node on one line: name, its GPUs as slice bars, what is used, how busy that is, and what is left. */
export function PartitionRow({ node, columns }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li>
      <div className={`${ROW} gap-y-2 py-2.5 lg:min-h-14`}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="group -ml-1 flex min-w-0 items-center gap-1 rounded-[4px] text-left"
        >
          <span className={`text-ink-quiet transition-transform group-hover:text-ink ${open ? 'rotate-90' : ''}`}>
            <ChevronRightIcon />
          </span>
          <span className="min-w-0">
            <span className="block truncate text-13 font-medium">{node.node}</span>
            <span className="block truncate text-12 text-ink-quiet">
              {node.gpus.length > 1 && `${node.gpus.length} × `}
              {node.model}
            </span>
            <span className="block truncate text-12 text-ink-quiet sm:hidden">
              {node.used} of {node.total} used
            </span>
          </span>
        </button>
        <Bars gpus={node.gpus} columns={columns} />
        <Numbers node={node} />
      </div>
      <div id={id} hidden={!open}>
        {open && <NodeGpus node={node} />}
      </div>
    </li>
  )
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 md:grid-cols-[9.5rem_minmax(0,1fr)_auto] xl:gap-x-4 xl:grid-cols-[10rem_minmax(0,1fr)_auto]'
const NUMBERS =
  'grid grid-cols-[auto_auto] items-center gap-x-3 text-right sm:grid-cols-[4.5rem_5rem_4.75rem] xl:grid-cols-[4rem_3.75rem_4.5rem]'

/** What the columns are, where there is room to say so. */
export const PartitionHead = () => (
  <div aria-hidden className={`${ROW} pb-1.5 text-12 text-ink-quiet max-md:hidden`}>
    <span className="pl-4">Node</span>
    <span className="truncate">GPUs, to scale</span>
    <span className={NUMBERS}>
      <span>Used</span>
      <span>Busy</span>
      <span>Available</span>
    </span>
  </div>
)

/** Two lines of bars at most, so that a row keeps its height however many GPUs a node has. */
const LINES = 2

function Bars({ gpus, columns }: { readonly gpus: readonly GpuView[]; readonly columns: number }) {
  const most = columns * LINES
  const shown = gpus.slice(0, gpus.length > most ? most - 1 : most)
  return (
    <div
      className="grid gap-x-3 gap-y-1 max-md:order-last max-md:col-span-2"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {shown.map((gpu) => (
        <Hint key={gpu.id} content={<GpuCard gpu={gpu} />}>
          <div style={{ width: gpu.mode === 'mig' ? `${Math.min(1, gpu.slots / WIDEST) * 100}%` : '100%' }}>
            <SliceBar gpu={gpu} height={gpus.length > columns ? 12 : 22} />
          </div>
        </Hint>
      ))}
      {gpus.length > shown.length && (
        <span className="text-12 text-ink-quiet">and {gpus.length - shown.length} more GPUs</span>
      )}
    </div>
  )
}

/** Most boards have 8 memory slices; an A30 has 4 and is drawn half as wide. */
const WIDEST = 8

const Numbers = ({ node }: { readonly node: Node }) => (
  <div className={NUMBERS}>
    <span className="figure font-mono text-12 text-ink-soft max-sm:hidden">
      {node.used} of {node.total}
    </span>
    <span>
      <FigureText figure={node.utilization} name={`Utilization of ${node.node}`} />
    </span>
    <span>
      <Availability node={node} />
    </span>
  </div>
)
