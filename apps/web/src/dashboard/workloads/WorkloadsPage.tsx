import { grouped } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Bones } from '../panel/Bones.tsx'
import { isStale } from '../client/freshness.ts'
import { DataTable } from '../table/DataTable.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useWorkloadChoice, type WorkloadChoice } from './use-workload-choice.ts'
import { defaultSort, useWorkloads, type Workloads } from './use-workloads.ts'
import { WaitingQueue } from './WaitingQueue.tsx'
import { WaitLedgerPart } from './WaitLedger.tsx'
import { RUNNING_COLUMNS, TENANT_COLUMNS, WAITING_COLUMNS } from './workload-columns.tsx'
import { StartPanel } from './StartPanel.tsx'
import { WorkloadFilters } from './WorkloadFilters.tsx'
import { WorkloadPanel } from './WorkloadPanel.tsx'

/** Every GPU workload: what it asks for, holds, uses and costs, and why it waits. */
export function WorkloadsPage() {
  usePageTitle('Workloads · Septet')
  const { cluster, range } = useUrlState()
  const choice = useWorkloadChoice()
  const { answer, more } = useWorkloads(choice)
  const [open, setOpen] = useUrlChoice('workload')
  const [asking, ask] = useUrlChoice('start')
  const now = useNow()
  const { data } = answer
  return (
    <div data-stale={data !== undefined && isStale(data, now)}>
      <ScreenHead
        title="Workloads"
        lead="What each workload requests, holds, uses and costs, and why the queue is waiting."
        docs="using-the-dashboard#workloads"
        aside={<Button onClick={() => ask('yes')}>Will it start?</Button>}
      />
      <div className="grid grid-cols-1 gap-4">
        <WorkloadFilters choice={choice} data={data} />
        <Answered answer={answer} waiting={<Bones heights={['h-44', 'h-[28rem]']} />}>
          {(shown) => (
            <div
              aria-busy={answer.isPlaceholderData}
              className={`grid min-w-0 grid-cols-1 gap-4 transition-opacity ${answer.isPlaceholderData ? 'opacity-60' : ''}`}
            >
              {(choice.view === 'waiting' || choice.view === 'all') && (
                <WaitingQueue groups={shown.waitsFor} choice={choice} />
              )}
              {choice.view === 'waiting' && <WaitLedgerPart onOpen={setOpen} />}
              <List data={shown} choice={choice} open={open} onOpen={setOpen} more={more} />
            </div>
          )}
        </Answered>
      </div>
      {asking !== undefined && <StartPanel onClose={() => ask(undefined)} />}
      {open !== undefined && (
        <WorkloadPanel
          id={open}
          cluster={cluster}
          range={range}
          listed={data?.workloads.find(({ id }) => id === open)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

type ListProps = {
  readonly data: Workloads
  readonly choice: WorkloadChoice
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
  readonly more: (() => void) | undefined
}

function List({ data, choice, open, onOpen, more }: ListProps) {
  const { view } = choice
  const running = data.choices.tenants.length > 0 ? TENANT_COLUMNS : RUNNING_COLUMNS
  return (
    <div className="grid min-w-0 gap-2">
      <DataTable
        caption={CAPTION[view]}
        columns={view === 'waiting' ? WAITING_COLUMNS : running}
        rows={data.workloads}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        openKey={open}
        initialSort={{ id: defaultSort(view), down: true }}
        empty={<Empty choice={choice} />}
      />
      {data.total > data.workloads.length && (
        <p className="flex flex-wrap items-center gap-3 text-12 text-ink-quiet">
          Showing {grouped(data.workloads.length)} of {grouped(data.total)} in this order.
          {more === undefined ? ' Filter to see the rest.' : <Button onClick={more}>Show more</Button>}
        </p>
      )}
    </div>
  )
}

const CAPTION = {
  all: 'Workloads',
  running: 'Running workloads',
  waiting: 'Waiting workloads',
  idle: 'Workloads holding idle GPUs now',
  ended: 'Ended workloads',
} satisfies Record<WorkloadChoice['view'], string>

function Empty({ choice }: { readonly choice: WorkloadChoice }): ReactNode {
  return choice.isFiltered ? 'No workload matches these filters.' : NOTHING[choice.view]
}

const NOTHING = {
  all: 'No workload is running on a GPU or waiting for one.',
  running: 'No workload is running on a GPU now.',
  waiting: 'No workload is waiting for a GPU.',
  idle: 'No running workload is holding an idle GPU.',
  ended: 'No GPU workload ended in this range.',
} satisfies Record<WorkloadChoice['view'], string>
