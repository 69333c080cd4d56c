import { waitCause } from '@septet/domain'
import { agree, grouped } from '@septet/domain/words'

import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { WaitReason } from '../words/WaitReason.tsx'
import type { WorkloadChoice } from './use-workload-choice.ts'
import type { Workloads } from './use-workloads.ts'
import { resourceWords } from './workload-words.ts'

type Props = { readonly groups: Workloads['waitsFor']; readonly choice: WorkloadChoice }

/** Reasons that the list of all workloads names. */
const FIRST = 3

/** What the queue waits for, most first: one press shows who. Above the list of all workloads it is one line. */
export function WaitingQueue({ groups, choice }: Props) {
  if (groups.length === 0) return undefined
  if (choice.view !== 'waiting') return <QueueLine groups={groups} choice={choice} />
  const most = Math.max(...groups.map(({ workloads }) => workloads))
  return (
    <Panel title={TITLE}>
      <ul className="-mb-2 divide-y divide-line border-t border-line">
        {groups.map((group) => (
          <Group key={`${group.resource} ${group.reason}`} group={group} most={most} choice={choice} />
        ))}
      </ul>
    </Panel>
  )
}

const TITLE = 'What the queue waits for'

function QueueLine({ groups, choice }: Props) {
  const all = groups.reduce((sum, { workloads }) => sum + workloads, 0)
  return (
    <section aria-label={TITLE} className="flex flex-wrap items-center gap-x-1 gap-y-1 text-13">
      <p className="mr-1 text-ink-soft">{grouped(all)} waiting:</p>
      {groups.slice(0, FIRST).map((group) => (
        <Button
          key={`${group.resource} ${group.reason}`}
          look="quiet"
          title={waitCause(group)}
          onClick={() => choice.choose({ view: 'waiting', for: group.resource })}
        >
          <Waits group={group} />
          <span className="sr-only">. {waitCause(group)}</span>
        </Button>
      ))}
      {groups.length > FIRST && (
        <Button look="quiet" onClick={() => choice.choose({ view: 'waiting' })}>
          All {groups.length} reasons
        </Button>
      )}
    </section>
  )
}

const Waits = ({ group: { workloads, resource } }: { readonly group: Workloads['waitsFor'][number] }) => (
  <span>
    <span className="font-medium">{workloads}</span>
    <span className="text-ink-soft"> {agree(workloads, 'waits', 'wait')} for </span>
    <bdi className="font-mono text-12 wrap-anywhere">{resourceWords(resource)}</bdi>
  </span>
)

type GroupProps = {
  readonly group: Workloads['waitsFor'][number]
  /** The longest of the bars. */
  readonly most: number
  readonly choice: WorkloadChoice
}

function Group({ group, most, choice }: GroupProps) {
  const now = useNow()
  const chosen = choice.waitsFor === group.resource
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={() => choice.choose({ view: 'waiting', for: chosen ? undefined : group.resource })}
        className={`-mx-2 grid w-[calc(100%+1rem)] grid-cols-1 items-center gap-x-5 gap-y-1 rounded-control px-2 py-2 text-left text-13 hover:bg-sunken/60 sm:grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[15rem_7rem_minmax(0,1fr)_auto] ${chosen ? 'bg-sunken' : ''}`}
      >
        <span className="min-w-0">
          <Waits group={group} />
        </span>
        <span aria-hidden className="h-2 rounded-[2px] max-md:hidden">
          <span
            className="block h-full rounded-[2px] border-[1.5px] border-(--free)"
            style={{ width: `${Math.max(4, (group.workloads / most) * 100)}%` }}
          />
        </span>
        <span className="min-w-0 text-12 text-ink-soft max-md:order-3 sm:max-md:col-span-2">
          <bdi className="line-clamp-2 wrap-anywhere" title={group.message}>
            <WaitReason waiting={group} />
          </bdi>
        </span>
        <span className="font-mono text-12 sm:text-right whitespace-nowrap text-ink-soft">
          {group.oldest !== null && `oldest ${ago(group.oldest, now)}`}
        </span>
      </button>
    </li>
  )
}
