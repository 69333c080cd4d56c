import { CLASSES } from '@septet/domain/action-classes'
import { WEEK_MS } from '@septet/domain/units'
import { stateWords } from '@septet/contract/state-words'
import { duration } from '@septet/domain/words'
import { useState, type ReactNode } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import {
  badgeOf,
  isRunning,
  reachWords,
  untilWords,
  type ListedAction,
  type ActionList,
} from '../../acting/action-words.ts'
import { useUrlChoice } from '../../address/url-state.ts'
import { PhaseBars } from './PhaseBars.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { savingWords } from '../../recommendation/recommendation-words.ts'

type Props = {
  readonly open: ActionList
  readonly past: readonly ListedAction[]
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

/** What waits for a person, what runs, and what came of the rest: in that order, for that is who needs whom. */
export function Inbox({ open, past, openId, onOpen }: Props) {
  const waiting = open.actions.filter(({ state }) => state === 'proposed')
  const running = open.actions.filter(isRunning)
  const rows = { openId, onOpen }
  if (waiting.length + running.length + past.length === 0) return <NothingYet />
  return (
    <div className="grid grid-cols-1 gap-4">
      <Announced running={running} />
      <Waiting actions={waiting} {...rows} />
      {running.length > 0 && <Running actions={running} isStopped={open.acting.state === 'stopped'} {...rows} />}
      {past.length > 0 && <Past actions={past} {...rows} />}
    </div>
  )
}

const NothingYet = () => (
  <p className="rounded-card border border-dashed border-line-strong px-4 py-3 text-13 text-ink-soft sm:px-5">
    No actions pending or running. Open a recommendation below to propose it.
  </p>
)

type RowsProps = Pick<Props, 'openId' | 'onOpen'> & { readonly actions: readonly ListedAction[] }

function Waiting({ actions, ...rows }: RowsProps) {
  const now = useNow()
  return (
    <Panel title={actions.length === 0 ? 'Awaiting approval' : `Awaiting approval (${actions.length})`}>
      {actions.length === 0 ? (
        <p className="text-13 text-ink-soft">No actions awaiting approval.</p>
      ) : (
        <ActionRows
          {...rows}
          actions={actions}
          renderSays={(action) => briefWords(action, reachWords(action))}
          renderAside={(action) => (
            <span className="grid text-ink-soft sm:justify-items-end sm:text-right">
              <span className="font-medium text-idle-ink">{untilWords(action, now)}</span>
              <span className="max-sm:hidden">proposed {ago(action.proposedAt, now)}</span>
            </span>
          )}
        />
      )}
    </Panel>
  )
}

function Running({ isStopped, ...rows }: RowsProps & { readonly isStopped: boolean }) {
  const now = useNow()
  return (
    <Panel
      title={`In progress (${rows.actions.length})`}
      aside={isStopped && <span className="text-12 text-ink-soft">acting stopped: actions are frozen</span>}
    >
      <ActionRows
        {...rows}
        renderSays={(action) => (
          <>
            <span className="font-medium text-ink">{stateWords(action)}</span> for {lastsWords(action.since, now)}
            {untilWords(action, now) !== undefined && `, ${untilWords(action, now)}`}
          </>
        )}
        renderAside={({ state }) => <PhaseBars state={state} />}
      />
    </Panel>
  )
}

const lastsWords = (since: string, now: number): string =>
  duration(Math.max(0, (now - new Date(since).getTime()) / 1000))

/** So many of what is over are shown until all are asked for. */
const FEW = 3

/** What broke off half-way is in sight until somebody had the time to see to it. */
const needsLook = ({ halfChanged, since }: ListedAction, now: number): boolean =>
  halfChanged && now - new Date(since).getTime() < WEEK_MS

function Past({ actions, ...rows }: RowsProps) {
  const now = useNow()
  const [choice, setChoice] = useUrlChoice('past')
  const isAll = choice === 'all'
  const shown = isAll ? actions : actions.filter((action, index) => index < FEW || needsLook(action, now))
  return (
    <Panel
      title="Results"
      aside={
        actions.length > FEW && (
          <button
            type="button"
            className="rounded-control text-12 text-accent-ink underline-offset-4 hover:underline"
            onClick={() => setChoice(isAll ? undefined : 'all', { replace: true })}
          >
            {isAll ? 'Show newest' : `Show all ${actions.length}`}
          </button>
        )
      }
    >
      <ActionRows
        {...rows}
        actions={shown}
        renderSays={({ because }) => <span className="line-clamp-2">{because}</span>}
        renderAside={(action) => (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:justify-end">
            <Badge tone={badgeOf(action).tone}>{badgeOf(action).words}</Badge>
            <time dateTime={action.since} title={dayTime(action.since)} className="text-ink-quiet">
              {ago(action.since, now)}
            </time>
          </span>
        )}
      />
    </Panel>
  )
}

/** Says to those who do not see it what has just changed. */
function Announced({ running }: { readonly running: readonly ListedAction[] }) {
  const [said, setSaid] = useState({ states: statesOf(running), words: '' })
  const states = statesOf(running)
  if (states.join() !== said.states.join()) {
    const changed = running.find((action) => !said.states.includes(`${action.id} ${stateWords(action)}`))
    setSaid({ states, words: changed === undefined ? '' : `${changed.title}: ${stateWords(changed)}` })
  }
  return <output className="sr-only">{said.words}</output>
}

const statesOf = (actions: readonly ListedAction[]): readonly string[] =>
  actions.map((action) => `${action.id} ${stateWords(action)}`)

type ActionRowsProps = RowsProps & {
  /** Below the title: what matters in the state that an action is in. */
  readonly renderSays: (action: ListedAction) => ReactNode
  /** At the right on a wide screen, below on a narrow one. */
  readonly renderAside: (action: ListedAction) => ReactNode
}

/** Actions line by line; the whole row opens its card. */
const ActionRows = ({ actions, openId, onOpen, renderSays, renderAside }: ActionRowsProps) => (
  <ul className="-my-1.5 divide-y divide-line">
    {actions.map((action) => (
      <li key={action.id}>
        <button
          type="button"
          aria-expanded={action.id === openId}
          onClick={() => onOpen(action.id)}
          className="-mx-2 grid w-[calc(100%+1rem)] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-control px-2 py-1.5 text-left transition-colors hover:bg-sunken aria-expanded:bg-sunken sm:grid-cols-[minmax(0,1fr)_15rem_auto]"
        >
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
            <span className="text-13 font-medium wrap-anywhere">
              <bdi>{action.title}</bdi>
            </span>
            <span className="text-12 text-ink-soft wrap-anywhere">{renderSays(action)}</span>
          </span>
          <span className="min-w-0 text-12 max-sm:col-start-1 max-sm:row-start-2">{renderAside(action)}</span>
          <span className="text-ink-quiet max-sm:row-span-2 max-sm:row-start-1 max-sm:col-start-2">
            <ChevronRightIcon />
          </span>
        </button>
      </li>
    ))}
  </ul>
)

/** "Reclaim idle · $310/mo · stops 1 pod", or "Appointment · asked for by ada@example.com · stops no pods". */
function briefWords({ class: kind, cause, proposedBy }: ListedAction, reach: string): string {
  const brings = cause.kind === 'wish' ? `asked for by ${proposedBy}` : savingWords(cause.saving).amount
  return [CLASSES[kind].title, brings, reach].join(' · ')
}
