import { grouped } from '@septet/domain/words'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Answer, Input } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { failureWords } from '../client/failure-words.ts'
import { Answered } from '../panel/Answered.tsx'
import { legendOf } from '../../ui/legend-of.ts'
import { filterInput, useNodeFilter } from './node-filter.ts'
import { NodeFilters } from './NodeFilters.tsx'
import { NodeHead, NodeRow, NodeWaiting } from './NodeRow.tsx'
import { useQueries } from '@tanstack/react-query'
import { answerQuery, useAnswer } from '../client/use-answer.ts'

const PAGE = 40

type Node = Answer<'partitionsList'>['nodes'][number]

/**
 * Nodes page by page, only those in sight: a fleet of 1,250 nodes is some megabytes. The first page is always there, as
 * it tells how many there are.
 */
function useNodePages(input: Input, seen: readonly number[]) {
  const first = useAnswer('partitionsList', { ...input, limit: PAGE, offset: 0 })
  const wanted = [...new Set(seen.map((index) => Math.floor(index / PAGE)))].filter((page) => page > 0)
  const others = useQueries({
    queries: wanted.map((page) => answerQuery('partitionsList', { ...input, limit: PAGE, offset: page * PAGE })),
  })
  const pages = new Map<number, readonly Node[]>([[0, first.data?.nodes ?? []]])
  for (const [place, page] of wanted.entries()) {
    const nodes = others[place]?.data?.nodes
    if (nodes !== undefined) pages.set(page, nodes)
  }
  const failed = others.find(({ error, data }) => error !== null && data === undefined)?.error
  return {
    first,
    failed: failed ?? undefined,
    /** Undefined while its page is on the way. */
    nodeAt: (index: number): Node | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
  }
}

type Props = { readonly open: (node: string) => void }

/** Every node with its GPUs to scale; of a long list only what is in sight is asked for and drawn. */
export function NodeList({ open }: Props) {
  const { cluster, filter, ...choose } = useNodeFilter()
  const [seen, setSeen] = useState<readonly number[]>([])
  const { first, failed, nodeAt } = useNodePages(filterInput(cluster, filter), seen)
  const shown = seen.flatMap((index) => nodeAt(index) ?? [])
  return (
    <Panel
      title={filter.all ? 'GPU nodes' : 'MIG nodes'}
      aside={<SliceLegend {...legendOf(shown.flatMap(({ gpus }) => gpus))} />}
    >
      <Answered answer={first}>
        {(data) => (
          <div className="grid gap-3">
            <NodeFilters filter={filter} facets={data.facets} total={data.total} {...choose} />
            {failed !== undefined && (
              <p role="alert" className="text-13 text-fault-ink">
                {failureWords(failed)}
              </p>
            )}
            {data.total === 0 ? (
              <Nothing data={data} narrowed={isNarrowed(filter)} showAll={() => choose.setGpus('all')} />
            ) : (
              <Rows total={data.total} nodeAt={nodeAt} onSeen={setSeen} open={open} />
            )}
          </div>
        )}
      </Answered>
    </Panel>
  )
}

const isNarrowed = ({ search, model, pool, state }: ReturnType<typeof useNodeFilter>['filter']): boolean =>
  [search, model, pool, state].some((each) => each !== undefined)

type NothingProps = {
  readonly data: Answer<'partitionsList'>
  readonly narrowed: boolean
  readonly showAll: () => void
}

const Nothing = ({ data, narrowed, showAll }: NothingProps) => (
  <div className="grid justify-items-start gap-2 py-4 text-13 text-ink-soft">
    {narrowed ? (
      <p>No node matches. Clear a filter or search for part of a name.</p>
    ) : (
      <>
        <p>
          {data.asOf === null
            ? 'Septet has not read this cluster yet. Nodes appear as soon as it has.'
            : 'No GPU here is in MIG mode. Show all GPU nodes to enable it on one.'}
        </p>
        {data.asOf !== null && <Button onClick={showAll}>Show all GPU nodes</Button>}
      </>
    )}
  </div>
)

type RowsProps = Props & {
  readonly total: number
  readonly nodeAt: (index: number) => Answer<'partitionsList'>['nodes'][number] | undefined
  readonly onSeen: (indexes: readonly number[]) => void
}

const ROW = 69

function Rows({ total, nodeAt, onSeen, open }: RowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (list.current !== null) setMargin(list.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component; the library's functions are called again at each rendering
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => ROW,
    overscan: 6,
    scrollMargin: margin,
  })
  const items = virtual.getVirtualItems()
  const indexes = items.map(({ index }) => index).join(' ')
  useLayoutEffect(() => onSeen(indexes === '' ? [] : indexes.split(' ').map(Number)), [indexes, onSeen])
  const before = (items[0]?.start ?? margin) - margin
  return (
    <div>
      <NodeHead />
      <ul ref={list} aria-label="Nodes" className="border-t border-line" style={{ minHeight: virtual.getTotalSize() }}>
        {before > 0 && <li aria-hidden style={{ height: before }} />}
        {items.map(({ index }) => {
          const node = nodeAt(index)
          return (
            <li
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className="border-b border-line"
            >
              {node === undefined ? <NodeWaiting /> : <NodeRow node={node} open={open} />}
            </li>
          )
        })}
      </ul>
      {total > PAGE && <p className="pt-2 text-12 text-ink-quiet">{grouped(total)} nodes</p>}
    </div>
  )
}
