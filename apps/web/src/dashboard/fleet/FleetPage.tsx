import { grouped, plural } from '@septet/domain/words'
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import { type Answer, isNotFound } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { isStale } from '../client/freshness.ts'
import { useAnswer, useLiveQuery } from '../client/use-answer.ts'
import { SearchField } from '../form/SearchField.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Gone } from '../panel/Gone.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { SidePanel } from '../panel/SidePanel.tsx'
import { FleetLegend } from './FleetLegend.tsx'
import { FleetMap } from './FleetMap.tsx'
import { FleetTable } from './FleetTable.tsx'
import { GpuFacts } from './GpuFacts.tsx'
import { fleetMatch, meaningCounts, readShow } from './fleet-filter.ts'
import { fleetGroups } from './fleet-groups.ts'
import { CODE, DOWN_BIT, FAULT_BIT, type FleetPicture, fleetPicture, SHARED } from './fleet-picture.ts'
import { fleetQuery, type WholeFleet } from './fleet-query.ts'
import { numberAt } from './number-at.ts'
import { type FleetChoice, type NodeOrder, useFleetChoice } from './use-fleet-choice.ts'

/** Every GPU, node by node: what it holds, how busy that is, and what is wrong. */
export function FleetPage() {
  usePageTitle('Fleet · Septet')
  const { cluster } = useUrlState()
  const { answer, picture } = useFleet(cluster)
  const choice = useFleetChoice()
  const [open, setOpen] = useUrlChoice('gpu')
  const now = useNow()
  return (
    <div data-bleed data-stale={answer.data !== undefined && isStale(answer.data, now)}>
      <ScreenHead
        title="Fleet"
        lead="Every GPU by node, drawn to scale."
        docs="using-the-dashboard#fleet"
        aside={<ViewSwitch choice={choice} />}
      />
      <OldNotice answer={answer} now={now} />
      <BrokenNotice cluster={cluster} onOpen={setOpen} />
      {picture === undefined ? (
        answer.error === null ? (
          <Skeleton />
        ) : (
          <Answered answer={answer}>{() => undefined}</Answered>
        )
      ) : picture.gpus === 0 ? (
        <Empty />
      ) : (
        <Fleet picture={picture} choice={choice} open={open} onOpen={setOpen} />
      )}
      {open !== undefined && <GpuPanel cluster={cluster} id={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

type FleetProps = {
  readonly picture: FleetPicture
  readonly choice: FleetChoice
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
}

function Fleet({ picture, choice, open, onOpen }: FleetProps) {
  const { show, search, group, view, order } = choice
  const rank = useNodeRank(picture, order)
  const shown = useMemo(() => readShow(show), [show])
  const counts = useMemo(() => meaningCounts(picture), [picture])
  const groups = useMemo(() => fleetGroups(picture, group, rank), [picture, group, rank])
  const match = useMemo(() => fleetMatch(picture, { show: shown, search }), [picture, shown, search])
  const openGpu = open === undefined ? -1 : picture.frame.gpus.id.indexOf(open)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField label="Find node, GPU, workload" value={search} onChange={choice.setSearch} />
        {view === 'map' && (
          <>
            <Segmented label="Group by" options={GROUPS} value={group} onChange={choice.setGroup} />
            <Segmented label="Sort nodes by" options={ORDERS} value={order} onChange={choice.setOrder} />
          </>
        )}
        <Count match={match.count} all={picture.gpus} />
      </div>
      <FleetLegend counts={counts} shown={shown} onChange={(meanings) => choice.setShow(meanings.join(','))} />
      <div className="mt-3">
        {view === 'table' ? (
          <FleetTable picture={picture} mask={match.mask} openId={open} onOpen={onOpen} />
        ) : (
          <FleetMap
            key={`${group} ${order}`}
            picture={picture}
            groups={groups}
            mask={match.mask}
            open={openGpu < 0 ? undefined : openGpu}
            onOpen={(gpu) => onOpen(picture.frame.gpus.id[gpu] ?? '')}
          />
        )}
      </div>
    </>
  )
}

const GROUPS = [
  { value: 'node', label: 'Node' },
  { value: 'model', label: 'Model' },
  { value: 'pool', label: 'Pool' },
  { value: 'tenant', label: 'Tenant' },
  { value: 'health', label: 'Health' },
] as const

const ORDERS = [
  { value: 'name', label: 'By name' },
  { value: 'worst', label: 'Worst first' },
] as const

const VIEWS = [
  { value: 'map', label: 'Map' },
  { value: 'table', label: 'Table' },
] as const

/** Map or table; `t` goes from one to the other wherever nothing is being typed. */
function ViewSwitch({ choice: { view, setView } }: { readonly choice: FleetChoice }) {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 't' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      setView(view === 'map' ? 'table' : 'map')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [view, setView])
  return <Segmented label="View, T switches" options={VIEWS} value={view} onChange={setView} />
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName))

const Count = ({ match, all }: { readonly match: number; readonly all: number }) => (
  <output className="ml-auto text-12 text-ink-quiet max-sm:ml-0">
    {match === all ? plural(all, 'GPU') : `${grouped(match)} of ${grouped(all)} GPUs match`}
  </output>
)

type OldProps = {
  readonly answer: UseQueryResult<{ asOf: string | null; source: { kind: string } }>
  readonly now: number
}

/** What is shown stays when it can no longer be renewed, and says so. */
function OldNotice({ answer: { data, error } }: OldProps) {
  if (data === undefined || error === null) return undefined
  return (
    <div className="mb-4">
      <NoticeBox tone="warning">{failureWords(error)} The map shows the last known state.</NoticeBox>
    </div>
  )
}

type BrokenProps = { readonly cluster: string | undefined; readonly onOpen: (id: string) => void }
const FEW = 3

/** Which GPUs are out of service, why, and how much work that stops. */
function BrokenNotice({ cluster, onOpen }: BrokenProps) {
  const { data } = useAnswer('fleetBroken', { cluster })
  if (data === undefined || data.gpus.length === 0) return undefined
  const hit = new Set(data.gpus.flatMap(({ workloads }) => workloads)).size
  const causes = [...Map.groupBy(data.gpus, ({ problem }) => problem.object).values()]
  return (
    <div className="mb-4">
      <NoticeBox tone="warning">
        <span className="font-medium">
          {plural(data.gpus.length, 'GPU')} out of service{hit > 0 && `, ${plural(hit, 'workload')} affected`}
        </span>
        <ul className="mt-1 grid gap-1">
          {causes.slice(0, FEW).flatMap(([gpu, ...others]) =>
            gpu === undefined ? (
              []
            ) : (
              <li key={gpu.problem.object}>
                <button
                  type="button"
                  className="font-medium underline underline-offset-4"
                  onClick={() => onOpen(gpu.id)}
                >
                  {others.length > 0
                    ? `${gpu.node}, ${plural(others.length + 1, 'GPU')}`
                    : `${gpu.node} GPU ${gpu.index}`}
                </button>
                : {gpu.problem.message}
              </li>
            ),
          )}
        </ul>
        {causes.length > FEW && <span>Group the map by health to see the rest.</span>}
      </NoticeBox>
    </div>
  )
}

const Skeleton = () => (
  <div aria-busy className="grid gap-3">
    <Bone className="h-8 w-80 max-w-full" />
    <Bone className="h-6 w-120 max-w-full" />
    <Bone className="h-[max(22rem,calc(100dvh-17.75rem))] max-sm:h-[70dvh]" />
  </div>
)

const Empty = () => (
  <div className="max-w-xl py-4 text-13">
    <p className="font-medium">No GPU to show</p>
    <p className="mt-1 text-ink-soft">
      This cluster has no GPU nodes, none of your namespaces uses one, or Septet has not read the cluster yet. A GPU
      node offers nvidia.com/gpu or MIG devices, or has a DRA driver that publishes them.
    </p>
  </div>
)

type Props = { readonly cluster: string | undefined; readonly id: string; readonly onClose: () => void }

/** The card of one GPU, as long as the address names it. */
function GpuPanel({ cluster, id, onClose }: Props) {
  const answer = useAnswer('fleetGpu', { cluster, gpu: id })
  // While another GPU's card comes, the one before it is not shown as if it were this one.
  const data = answer.data?.gpu.id === id ? answer.data : undefined
  return (
    <SidePanel
      lead={data === undefined ? 'GPU' : `${data.gpu.model} on ${data.node.name}`}
      title={data === undefined ? id : `GPU ${data.gpu.index}`}
      onClose={onClose}
    >
      {data === undefined && isNotFound(answer.error) ? (
        <Gone what="This GPU" back="Back to the fleet" onClose={onClose}>
          The node left the cluster, the GPU is no longer reported, or you do not have access to its cluster or
          namespace. The map shows the current fleet.
        </Gone>
      ) : (
        <Answered answer={answer}>
          {(shown) =>
            shown.gpu.id === id ? <Known data={shown} gone={isNotFound(answer.error)} /> : <Bone className="h-40" />
          }
        </Answered>
      )}
    </SidePanel>
  )
}

const Known = ({ data, gone }: { readonly data: Answer<'fleetGpu'>; readonly gone: boolean }) => (
  <>
    {gone && (
      <NoticeBox tone="warning">
        This GPU left the cluster or is no longer reported. Below is its last known state.
      </NoticeBox>
    )}
    <GpuFacts data={data} />
  </>
)

type FleetAnswer = { readonly answer: UseQueryResult<WholeFleet>; readonly picture: FleetPicture | undefined }

/** Every GPU of a cluster, kept up to date as other answers are. */
function useFleet(cluster: string | undefined): FleetAnswer {
  const answer = useLiveQuery(fleetQuery(useQueryClient(), cluster))
  const { data } = answer
  const picture = useMemo(() => (data === undefined ? undefined : fleetPicture(data.frame, data.now)), [data])
  return { answer, picture }
}

/**
 * The rank of each node where the worst come first; undefined where they come by name. It stays as it was when it was
 * asked for, so that nothing moves under the reader's eyes with each reading.
 */
function useNodeRank(picture: FleetPicture, order: NodeOrder): Int32Array | undefined {
  const [kept, keep] = useState<{ readonly frame: unknown; readonly rank: Int32Array }>()
  if (order === 'name') {
    if (kept !== undefined) keep(undefined)
    return undefined
  }
  if (kept?.frame === picture.frame) return kept.rank
  const rank = worstNodes(picture)
  keep({ frame: picture.frame, rank })
  return rank
}

/**
 * The rank of each node, the one with the largest unused share of its GPUs first. What is down, faulty, idle, free or
 * stranded is unused, as is the rest of what is partly busy; what is not measured is not called unused.
 */
export function worstNodes(picture: FleetPicture): Int32Array {
  const nodes = picture.frame.nodes.name.length
  const unused = new Float64Array(nodes)
  const gpus = new Float64Array(nodes)
  for (let gpu = 0; gpu < picture.gpus; gpu += 1) {
    const node = numberAt(picture.node, gpu)
    unused[node] = numberAt(unused, node) + unusedOf(picture, gpu)
    gpus[node] = numberAt(gpus, node) + 1
  }
  const shareOf = (node: number): number => numberAt(unused, node) / Math.max(1, numberAt(gpus, node))
  const rank = new Int32Array(nodes)
  const order = Array.from({ length: nodes }, (_, node) => node).toSorted((a, b) => shareOf(b) - shareOf(a))
  for (const [place, node] of order.entries()) rank[node] = place
  return rank
}

/** The unused share of a GPU, 0 to 1. */
function unusedOf({ has, first, kind, size, busy, slots, mode }: FleetPicture, gpu: number): number {
  if ((numberAt(has, gpu) & (FAULT_BIT | DOWN_BIT)) !== 0) return 1
  const [begin, end] = [numberAt(first, gpu), numberAt(first, gpu + 1)]
  if (begin === end) return 1
  // Replicas of a shared GPU each span all of it.
  const whole = mode[gpu] === SHARED ? end - begin : 1
  let share = 0
  for (let block = begin; block < end; block += 1) {
    const part = numberAt(size, block) / Math.max(1, numberAt(slots, gpu)) / whole
    share += part * unusedBlock(numberAt(kind, block), numberAt(busy, block))
  }
  return Math.min(1, share)
}

function unusedBlock(code: number, thousandths: number): number {
  if (code === CODE.unknown || code === CODE.others) return 0
  if (code === CODE.busy) return thousandths < 0 ? 0 : 1 - Math.min(1, thousandths / 1000)
  return 1
}
