import { useQueryClient } from '@tanstack/react-query'

import { tell, type Answer } from '../../../api.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { clockTime, dayTime } from '../../../ui/time-words.ts'
import { Segmented } from '../../form/Segmented.tsx'
import { useUrlChoice } from '../../address/url-state.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { useSending } from '../../client/use-sending.ts'

type Delivery = Answer<'deliveriesList'>['deliveries'][number]
const TONES = { delivered: 'good', waiting: 'warning', failed: 'destructive' } satisfies Record<Delivery['state'], Tone>
const STATES = ['all', 'waiting', 'delivered', 'failed'] as const
const STATE_NAMES = { all: 'All', waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const

/** Every message, and every try to deliver it. */
export function DeliveryLog() {
  const [wanted, setState] = useUrlChoice('deliveries')
  const state = STATES.find((each) => each === wanted) ?? 'all'
  const log = useAnswer('deliveriesList', { state: state === 'all' ? undefined : state })
  return (
    <Panel
      title="Delivery log"
      aside={
        <Segmented
          label="State of deliveries"
          options={STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
          value={state}
          onChange={(value) => setState(value === 'all' ? undefined : value)}
        />
      }
    >
      <Answered answer={log}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className="py-2 text-13 text-ink-soft">
              {state === 'all' ? 'Nothing sent yet.' : `No ${state} deliveries.`}
            </p>
          ) : (
            <ul className="grid divide-y divide-line border-t border-line">
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const queries = useQueryClient()
  const { busy, problem, run } = useSending()
  const again = (): Promise<void> =>
    run(async () => {
      const { delivery: sent } = await tell('deliveriesRedeliver', { id: delivery.id })
      await queries.invalidateQueries({ queryKey: ['deliveriesList'] })
      if (sent.state === 'delivered') return { done: `Delivered to ${sent.channel}.` }
      return { problem: `Delivery to ${sent.channel} failed: ${sent.attempts.at(-1)?.detail ?? 'no response yet'}` }
    })
  return (
    <li className="py-2.5 text-13">
      <details className="group">
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 rounded-control">
          <span className="-mr-1 self-center text-ink-quiet transition-transform group-open:rotate-90">
            <ChevronRightIcon />
          </span>
          <Badge tone={TONES[delivery.state]}>{delivery.state}</Badge>
          <span className="font-medium wrap-anywhere">
            <bdi>{delivery.title}</bdi>
          </span>
          <span className="text-ink-soft">to {delivery.channel}</span>
          <span className="ml-auto text-12 text-ink-quiet max-sm:ml-0">{dayTime(delivery.createdAt)}</span>
        </summary>
        <ol className="mt-2 grid gap-1 rounded-control bg-sunken px-3 py-2 text-12">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.attempt} className="flex flex-wrap gap-x-3 wrap-anywhere">
              <span className="font-mono tabular-nums">{clockTime(attempt.at)}</span>
              <span>{attempt.outcome}</span>
              {attempt.status !== null && <span className="font-mono">{attempt.status}</span>}
              <span className="text-ink-soft">
                <bdi>{attempt.detail}</bdi>
              </span>
              <span className="text-ink-quiet">{Math.round(attempt.tookMs)} ms</span>
            </li>
          ))}
          {delivery.nextAt !== null && <li className="text-ink-soft">Retries at {clockTime(delivery.nextAt)}.</li>}
        </ol>
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <Button disabled={busy} aria-label={`Resend: ${delivery.title}`} onClick={() => void again()}>
            Resend
          </Button>
          <span className="font-mono text-12 text-ink-quiet">{delivery.id}</span>
          <ProblemBox words={problem} />
        </div>
      </details>
    </li>
  )
}
