import { waitCause } from '@septet/domain'
import { agree, duration } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import { figureInWords } from '@septet/contract/figure-words'

import { Badge } from '../../ui/Badge.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import type { Column } from '../table/column.ts'
import { WaitReason } from '../words/WaitReason.tsx'
import type { Workload } from './use-workloads.ts'
import { classWords, gpuCount, holdingWords, requestWords, STATUS_WORDS } from './workload-words.ts'

const plain = (value: number | null): string => (value === null ? '' : String(Number(value.toFixed(4))))
const figureText = ({ value }: FigureView): string => plain(value)

const name: Column<Workload> = {
  id: 'name',
  name: 'Workload',
  cell: (row) => <WorkloadName workload={row} />,
  sortBy: (row) => row.name,
  text: ({ id }) => id,
}

const tenant: Column<Workload> = {
  id: 'tenant',
  name: 'Tenant',
  cell: (row) => (row.tenant === null ? <span className="text-ink-quiet">none</span> : <bdi>{row.tenant}</bdi>),
  sortBy: (row) => row.tenant ?? undefined,
  width: '6rem',
}

const kind: Column<Workload> = {
  id: 'class',
  name: 'Class',
  cell: (row) => <span className="text-ink-soft">{classWords(row.class)}</span>,
  sortBy: (row) => row.class,
  width: '5.5rem',
}

const holds: Column<Workload> = {
  id: 'holds',
  name: 'GPUs',
  align: 'right',
  largestFirst: true,
  cell: (row) => <Holds workload={row} />,
  sortBy: (row) => row.holds?.gpus,
  text: (row) => plain(row.holds?.gpus ?? null),
  width: '8rem',
}

function Holds({ workload }: { readonly workload: Workload }) {
  const { holds: held, status } = workload
  if (held === null) {
    return (
      <span className="block truncate text-12 text-ink-quiet" title={requestWords(workload)}>
        {status === 'queued' ? `asks ${requestWords(workload)}` : 'none now'}
      </span>
    )
  }
  return (
    <span className="flex min-w-0 items-baseline gap-2 md:justify-end" title={holdingWords(workload)}>
      <span className="truncate text-12 text-ink-quiet">{shapesOf(held.parts)}</span>
      <span className="font-mono">{gpuCount(held.gpus)}</span>
    </span>
  )
}

type Held = NonNullable<Workload['holds']>

/** "H100" of whole GPUs, whose count stands beside it, else "3 × 3g.40gb". */
const shapesOf = (parts: Held['parts']): string =>
  parts.map(({ shape, model, count }) => (shape === WHOLE ? model.split('-')[0] : `${count} × ${shape}`)).join(', ')

/** What the server calls a GPU that is not divided. */
const WHOLE = 'whole GPU'

const busy: Column<Workload> = {
  id: 'busy',
  name: 'Busy',
  align: 'right',
  largestFirst: true,
  cell: (row) => (
    <FigureText
      figure={row.busy}
      name={`Busy of ${row.name}`}
      unknown={row.status === 'queued' ? '–' : 'Not measured'}
    />
  ),
  sortBy: (row) => row.busy.value ?? undefined,
  text: (row) => figureText(row.busy),
  width: '5.5rem',
}

const money = (id: 'cost' | 'idleCost', title: string): Column<Workload> => ({
  id,
  name: title,
  align: 'right',
  largestFirst: true,
  cell: (row) => <FigureText figure={row[id]} name={`${title} of ${row.name}`} unknown={noMoney(row, id)} />,
  sortBy: (row) => row[id].value ?? undefined,
  text: (row) => figureText(row[id]),
  width: '5.75rem',
})

/** Why there is no amount: it held nothing, its idle time was not measured, or no price is known. */
function noMoney({ status, gpuHours, busy: { value } }: Workload, id: 'cost' | 'idleCost'): string {
  if (status === 'queued' || (gpuHours ?? 0) === 0) return '–'
  return id === 'idleCost' && value === null ? 'Not measured' : 'No price'
}

const idleHours: Column<Workload> = {
  id: 'idleHours',
  name: 'Idle GPU-h',
  align: 'right',
  largestFirst: true,
  cell: (row) => <IdleHours workload={row} />,
  sortBy: (row) => row.idleGpuHours ?? undefined,
  text: (row) => plain(row.idleGpuHours),
  width: '7rem',
}

function IdleHours({ workload: { idleGpuHours, gpuHours, holds: held } }: { readonly workload: Workload }) {
  const words = figureInWords({ value: idleGpuHours, unit: 'count' })
  return (
    <span className="flex items-baseline gap-2 md:justify-end">
      {held !== null && held.idle > 0 && (
        <span title={`${gpuCount(held.idle)} ${agree(held.idle, 'GPU')} idle now`}>
          <Badge tone="warning">{gpuCount(held.idle)} idle</Badge>
        </span>
      )}
      <span className={words.known ? 'font-mono' : 'text-12 text-ink-quiet'}>
        {(gpuHours ?? 0) > 0 ? words.value : '–'}
      </span>
    </span>
  )
}

const lasts: Column<Workload> = {
  id: 'duration',
  name: 'Status, since',
  align: 'right',
  largestFirst: true,
  cell: (row) => <Status workload={row} />,
  sortBy: (row) => row.duration ?? undefined,
  text: (row) => row.since ?? '',
  width: '10.5rem',
}

const Status = ({ workload: { status, duration: seconds } }: { readonly workload: Workload }) => (
  <span className="flex items-baseline gap-2 md:justify-end">
    <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].words}</Badge>
    {seconds !== null && (
      <span className="font-mono text-12 whitespace-nowrap text-ink-soft md:w-22">{duration(seconds)}</span>
    )}
  </span>
)

const asks: Column<Workload> = {
  id: 'asks',
  name: 'Requests',
  cell: (row) => <span className="font-mono text-12 wrap-anywhere">{requestWords(row)}</span>,
  text: requestWords,
  width: '11rem',
}

const why: Column<Workload> = {
  id: 'why',
  name: 'Why it waits',
  cell: ({ waiting }) =>
    waiting === null ? (
      <span className="text-ink-quiet">No reason reported</span>
    ) : (
      <bdi className="line-clamp-3 text-12 wrap-anywhere text-ink-soft" title={waiting.message}>
        <WaitReason waiting={waiting} />
      </bdi>
    ),
  text: ({ waiting }) => (waiting === null ? '' : `${waitCause(waiting)} ${waiting.reason}: ${waiting.message}`.trim()),
  width: '42%',
}

const waitsSince: Column<Workload> = {
  ...lasts,
  name: 'Waits',
  cell: ({ duration: seconds }) => (
    <span className="font-mono text-12 whitespace-nowrap">{seconds === null ? '–' : duration(seconds)}</span>
  ),
  width: '6rem',
}

const queue: Column<Workload> = {
  id: 'queue',
  name: 'Queue',
  cell: (row) => (row.queue === null ? <span className="text-ink-quiet">none</span> : <bdi>{row.queue}</bdi>),
  text: (row) => row.queue ?? '',
  width: '9rem',
}

/** What runs or ran: what it holds, uses and costs. */
export const RUNNING_COLUMNS: readonly Column<Workload>[] = [
  name,
  kind,
  holds,
  busy,
  idleHours,
  money('cost', 'Cost'),
  money('idleCost', 'Idle cost'),
  lasts,
]

/** The same with the tenant, where rules name any. */
export const TENANT_COLUMNS: readonly Column<Workload>[] = [name, tenant, ...RUNNING_COLUMNS.slice(1)]

/** What waits: what it asks for, why it does not get it, and for how long. */
export const WAITING_COLUMNS: readonly Column<Workload>[] = [name, asks, why, queue, waitsSince]

/** Its name, and after it whose it is; below it on a narrow screen. Names are anybody's words: their direction stays their own. */
const WorkloadName = ({ workload }: { readonly workload: Workload }) => (
  <span className="flex min-w-0 items-baseline gap-x-2 max-md:flex-wrap">
    <bdi className="max-w-full truncate md:max-w-[70%] md:shrink-0" title={workload.name}>
      {workload.name}
    </bdi>
    <span
      className="relative min-w-0 truncate text-12 font-normal text-ink-quiet"
      title={`${workload.namespace} · ${workload.kind}`}
    >
      <bdi>{workload.namespace}</bdi>
      {/* Beside a name in a narrow table there is room for one of the two. */}
      <span className="md:max-[1500px]:sr-only">
        {' '}
        · <bdi>{workload.kind}</bdi>
      </span>
    </span>
  </span>
)
