import { agree } from '@septet/domain/words'

import { To } from '../address/To.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { placementWords } from '../../ui/slice-words.ts'
import { useWidth } from '../../ui/use-width.ts'
import { Line, Part } from '../panel/Part.tsx'
import { gpuCount, requestWords } from './workload-words.ts'
import type { WorkloadAnswer } from './use-workloads.ts'

/** What it asks for and holds now, drawn on the GPUs that it is on. */
export function WorkloadNow({ data }: { readonly data: WorkloadAnswer }) {
  const { workload, gpus, gpuCount: all } = data
  const inferred = gpus.some(({ gpu }) => placementWords(gpu) !== undefined)
  return (
    <Part title="Now">
      <dl className="text-13">
        <Line name="Requests">
          <span className="font-mono text-12">{requestWords(workload) || 'unknown'}</span>
        </Line>
        <Line name="Holds">
          {workload.holds === null ? (
            'nothing'
          ) : (
            <>
              <span className="font-mono">{gpuCount(workload.holds.gpus)}</span> {agree(workload.holds.gpus, 'GPU')}
              {workload.holds.idle > 0 && `, of which ${gpuCount(workload.holds.idle)} idle`}
            </>
          )}
        </Line>
        {workload.queue !== null && (
          <Line name="Queue">
            <bdi>{workload.queue}</bdi>
          </Line>
        )}
      </dl>
      {gpus.length > 0 && <Bars gpus={gpus} holder={workload.id} />}
      {inferred && <p className="text-12 text-ink-quiet">Dashed line: placement inferred from the geometry.</p>}
      {all > gpus.length && <p className="text-12 text-ink-quiet">and {all - gpus.length} more GPUs</p>}
    </Part>
  )
}

type BarsProps = { readonly gpus: WorkloadAnswer['gpus']; readonly holder: string }

/** Its own blocks as they are; those of others on the same GPU stand back. */
function Bars({ gpus, holder }: BarsProps) {
  const [ground, width] = useWidth<HTMLUListElement>()
  const columns = gpus.length > 4 ? 2 : 1
  const each = width === undefined ? undefined : (width - (columns - 1) * 12) / columns
  return (
    <ul ref={ground} className={`grid gap-x-3 gap-y-2 ${columns === 2 ? 'grid-cols-2' : 'grid-cols-1'}`}>
      {gpus.map(({ node, gpu }) => (
        <li key={gpu.id} className="min-w-0">
          <To
            path="/fleet"
            more={{ gpu: gpu.id }}
            look="plain"
            className="mb-0.5 block truncate font-mono text-12 text-ink-soft"
          >
            <bdi>{node}</bdi> GPU {gpu.index}
          </To>
          <SliceBar
            gpu={{ ...gpu, blocks: gpu.blocks.map((block) => (isOurs(block, holder) ? block : STANDING_BACK(block))) }}
            height={columns === 2 ? 14 : 20}
            {...(each === undefined ? {} : { width: each })}
          />
        </li>
      ))}
    </ul>
  )
}

type Block = WorkloadAnswer['gpus'][number]['gpu']['blocks'][number]
const isOurs = (block: Block, holder: string): boolean => block.holder === holder || NOBODYS.has(block.kind)
const NOBODYS: ReadonlySet<Block['kind']> = new Set(['free', 'uncut', 'stranded', 'others'])
/** What others hold is there and not what this card is about. */
const STANDING_BACK = (block: Block): Block => ({ ...block, kind: 'others' })
