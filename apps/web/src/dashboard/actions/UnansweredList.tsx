import { dollars, grouped } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'

type Holders = Answer<'recommendationsList'>['unanswered']

/** The largest idle holders that no recommendation helps: each with what it idled away in a week, and why. */
export const UnansweredList = ({ holders }: { readonly holders: Holders }) => (
  <Panel title="Largest idle holders without an action">
    <ul className="divide-y divide-line">
      {holders.map(({ workload, idleGpuHours, idleUsd, reason, because }) => (
        <li key={workload} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-baseline gap-x-2 text-13">
              <span className="font-medium wrap-anywhere">{workload}</span>
              <Badge tone="secondary">{REASON_WORDS[reason]}</Badge>
            </p>
            <p className="text-12 text-ink-soft wrap-anywhere">{because}</p>
          </div>
          <p className="font-mono text-12">
            {grouped(idleGpuHours, 0)} GPU-h idle{idleUsd === null ? '' : `, ${dollars(idleUsd)}`}
          </p>
        </li>
      ))}
    </ul>
  </Panel>
)

const REASON_WORDS = {
  guardrail: 'A guardrail',
  'other-change': 'Another change first',
  'faulty-gpu': 'GPU unhealthy',
  'kept-whole': 'Node kept whole',
  'no-room': 'No room',
  'needs-size': 'Right size already',
  'works-in-between': 'Intermittent use',
  'not-measured': 'Not enough data',
} satisfies Record<Holders[number]['reason'], string>
