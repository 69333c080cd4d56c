import { textOf } from '@septet/contract/says'
import { dollars, duration, plural, short } from '@septet/domain/words'

import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Answered } from './Answered.tsx'
import { PanelEmpty } from './PanelEmpty.tsx'

type Waits = Answer<'queueWaits'>
type Cause = Waits['causes'][number]

type PartProps = {
  readonly answer: UseQueryResult<Waits>
  readonly waiting: ReactNode
  /** What else stands at the right of the title. */
  readonly total?: (waits: Waits) => ReactNode
  readonly children: (waits: Waits, note: string) => ReactNode
}

/** What work waited for and what that capacity would have cost. */
export const WaitsPart = ({ answer, waiting, total, children }: PartProps) => (
  <Panel
    title="Cost of waiting"
    aside={
      answer.data !== undefined &&
      answer.data.causes.length > 0 && (
        <span className="flex flex-wrap items-baseline gap-x-3 text-12 text-ink-soft">
          {total?.(answer.data)}
          <FigureText figure={answer.data.hours} name="GPU-hours waited" />
          <FigureText figure={answer.data.cost} name="Value of GPU time waited for" unknown="no price" />
        </span>
      )
    }
  >
    <Answered answer={answer} waiting={waiting}>
      {(waits) =>
        waits.causes.length === 0 ? (
          <PanelEmpty>{textOf(waits.says, /^causes$/u)}</PanelEmpty>
        ) : (
          children(waits, waitNote(waits))
        )
      }
    </Answered>
  </Panel>
)

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto_4.25rem] items-baseline gap-x-4 gap-y-0.5 @3xl:grid-cols-[10rem_minmax(0,1fr)_6rem_6rem_4.5rem]'

/** What was waited for, longest first: for how long, and the cheapest change that ends it. */
export const WaitCauses = ({ causes }: { readonly causes: readonly Cause[] }) => (
  <div className="@container">
    <div aria-hidden className={`${ROW} pb-1.5 text-12 text-ink-quiet @max-3xl:hidden`}>
      <span>Waited for</span>
      <span>Cheapest fix</span>
      <span className="text-right">Time</span>
      <span className="text-right">GPU time</span>
      <span className="text-right">Price</span>
    </div>
    <ul className="divide-y divide-line border-y border-line">
      {causes.map((cause) => (
        <Row key={cause.cause} cause={cause} />
      ))}
    </ul>
  </div>
)

function Row({ cause: { name, meaning, seconds, workloads, waiting, change, ...amount } }: { readonly cause: Cause }) {
  return (
    <li className={`${ROW} py-2`}>
      <span className="min-w-0 text-13">
        <Hint content={`${name}: ${meaning}.`}>
          <button type="button" className="-mx-1 rounded-[4px] px-1 text-left font-medium hover:bg-sunken">
            {name}
          </button>
        </Hint>
        <span className="block text-12 text-ink-quiet">
          <span className="@3xl:hidden">{duration(seconds)}</span>
          {waiting > 0 && (
            <span className="whitespace-nowrap @max-3xl:before:content-['_·_']">
              {workloads === 1 ? 'waits now' : plural(waiting, 'waits now', 'wait now')}
            </span>
          )}
        </span>
      </span>
      <span className="min-w-0 text-12 text-ink-soft @max-3xl:order-5 @max-3xl:col-span-full">
        <bdi className="wrap-anywhere">{change?.sentence ?? `No known fix: ${meaning}.`}</bdi>
      </span>
      <span className="figure text-right font-mono text-12 text-ink-quiet @max-3xl:hidden">{duration(seconds)}</span>
      <span className="figure text-right font-mono text-12 whitespace-nowrap">{hoursWords(amount)}</span>
      <span className="figure text-right font-mono text-12 whitespace-nowrap">{priceWords(amount)}</span>
    </li>
  )
}

/** What the money is, and what a caller of some namespaces is not told. */
export const waitNote = ({ note, withheld }: Pick<Waits, 'note' | 'withheld'>): string =>
  withheld === null ? note : `${note} ${withheld}`

/** Nothing known is never 0. */
export const hoursWords = ({ gpuHours }: Pick<Cause, 'gpuHours'>): string =>
  gpuHours === null ? 'unknown' : `${gpuHours > 0 && gpuHours < 0.05 ? '<0.1' : short(gpuHours)} GPU-h`

export function priceWords({ gpuHours, usd }: Pick<Cause, 'gpuHours' | 'usd'>): string {
  if (usd !== null) return dollars(usd)
  return gpuHours === null ? 'unknown' : 'no price'
}
