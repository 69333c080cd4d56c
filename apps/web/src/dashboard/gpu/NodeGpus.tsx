import type { Answer } from '../../api.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { blockWords, placementWords } from '../../ui/slice-words.ts'
import { useWidth } from '../../ui/use-width.ts'

type Node = Answer<'partitionsList'>['nodes'][number]

/** A node opened: every GPU large enough for names, and in words what each bar shows. */
export function NodeGpus({ node }: { readonly node: Node }) {
  const [first, width] = useWidth<HTMLDivElement>()
  const placements = [...new Set(node.gpus.flatMap((gpu) => placementWords(gpu) ?? []))]
  return (
    <div className="enters grid gap-4 pt-1 pb-5 pl-4">
      <p className="text-12 text-ink-quiet">
        {node.pool !== '' && `Pool ${node.pool}, `}MIG strategy {node.mig.strategy}
        {node.mig.config !== null && `, MIG config ${node.mig.config}`}
        {node.mig.state !== null && ` (${node.mig.state})`}. {node.used} of {node.total} partitions used,{' '}
        {node.available} available.
      </p>
      {problemsOf(node).map((problem) => (
        <p key={`${problem.code} ${problem.object}`} className="flex gap-2 text-12 text-fault-ink">
          <WarningIcon />
          {problem.message}
        </p>
      ))}
      <div ref={first} className="grid gap-3.5">
        {node.gpus.map((gpu) => (
          <div key={gpu.id}>
            <SliceBar gpu={gpu} height={28} {...(width === undefined ? {} : { width })} />
            <Caption gpu={gpu} />
          </div>
        ))}
      </div>
      {placements.map((placement) => (
        <p key={placement} className="text-12 text-ink-quiet">
          Dashed line: {placement}.
        </p>
      ))}
    </div>
  )
}

/** The blocks in words, and why some were not measured: of all of them once, of some with each that it is true of. */
function Caption({ gpu }: { readonly gpu: Node['gpus'][number] }) {
  const reasons = new Set(gpu.blocks.filter(({ kind }) => HELD.has(kind)).map(({ because }) => because))
  const [one] = reasons.size === 1 ? reasons : []
  const parts = gpu.blocks.map((block) => {
    const words = blockWords({ ...block, holder: named(block.holder) }, gpu)
    return block.because === null || block.because === one ? words : `${words}: ${continued(block.because)}`
  })
  if (typeof one === 'string') parts.push(one)
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-soft">
      <span className="font-mono text-ink-quiet">GPU {gpu.index}</span>
      {parts.map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- blocks stand in the order of their placements and may read alike
        <span key={place} className="min-w-0 wrap-anywhere">
          {part}
        </span>
      ))}
    </p>
  )
}

const HELD: ReadonlySet<Node['gpus'][number]['blocks'][number]['kind']> = new Set(['busy', 'idle', 'unknown'])

/** A sentence as the end of another. */
const continued = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`

/** `ml/Deployment/vllm-7` as `ml/vllm-7`: the kind says nothing that the card of the workload does not. */
const named = (holder: string | null): string | null => holder?.replace(/^([^/]+)\/[^/]+\/(.+)$/u, '$1/$2') ?? null

/** The node's problems and its GPUs' faults; a fault that is told as both is told once. */
function problemsOf({ problems, gpus }: Node): Node['problems'] {
  const all = [...problems, ...gpus.flatMap(({ fault }) => (fault === null ? [] : [fault]))]
  return [...new Map(all.map((problem) => [`${problem.code} ${problem.message}`, problem])).values()]
}
