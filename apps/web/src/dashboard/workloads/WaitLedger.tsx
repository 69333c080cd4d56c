import { duration, grouped } from '@septet/domain/words'
import { useState } from 'react'

import type { Answer } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { Button } from '../../ui/Button.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { hoursWords, priceWords, WaitCauses, WaitsPart } from '../panel/WaitCauses.tsx'

type Waits = Answer<'queueWaits'>
type Waited = Waits['workloads'][number]
type Props = { readonly onOpen: (id: string) => void }

const FIRST = 5
/** With all of them open; the CSV file of a report has the others. */
const MOST = 200

/** What was waited over the range, by cause and by workload, those that run now as well. */
export function WaitLedgerPart({ onOpen }: Props) {
  const { cluster, range } = useUrlState()
  const [all, setAll] = useState(false)
  const answer = useAnswer('queueWaits', { cluster, range, limit: MOST })
  return (
    <WaitsPart
      answer={answer}
      waiting={<Bone className="h-80" />}
      total={({ seconds }) => `${duration(seconds)} total`}
    >
      {(waits, note) => (
        <>
          <WaitCauses causes={waits.causes} />
          <p className="mt-2 text-12 text-ink-quiet">{note}</p>
          <h3 className="mt-5 mb-1.5 text-13 font-semibold">By workload, longest first</h3>
          <ul className="divide-y divide-line border-t border-line">
            {waits.workloads.slice(0, all ? MOST : FIRST).map((workload) => (
              <Row key={workload.id} workload={workload} onOpen={onOpen} />
            ))}
          </ul>
          <More waits={waits} all={all} toggle={() => setAll(!all)} />
        </>
      )}
    </WaitsPart>
  )
}

/** One workload: for what it waited and for how long, and what would end most of it. */
function Row({ workload, onOpen }: Props & { readonly workload: Waited }) {
  const { id, name, namespace, asks, causes, waitsFor } = workload
  const [first] = waitsFor === null ? causes : causes.filter(({ cause }) => cause === waitsFor)
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="-mx-2 grid w-[calc(100%+1rem)] grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 rounded-control px-2 py-2 text-left hover:bg-sunken/60 lg:grid-cols-[14rem_minmax(0,1fr)_6rem_4.5rem]"
      >
        <span className="min-w-0">
          <bdi className="block truncate text-13 font-medium">{name}</bdi>
          <bdi className="block truncate text-12 text-ink-quiet">
            {namespace} · {asks.replaceAll('nvidia.com/', '')}
          </bdi>
        </span>
        <span className="min-w-0 text-12 text-ink-soft max-lg:order-4 max-lg:col-span-full">
          <span className="block text-ink">
            {causes.map((cause) => `${cause.name} ${duration(cause.seconds)}`).join(', ')}
          </span>
          {first?.change && <bdi className="wrap-anywhere">{first.change.sentence}</bdi>}
        </span>
        <span className="figure text-right font-mono text-12 whitespace-nowrap">{hoursWords(workload)}</span>
        <span className="figure text-right font-mono text-12 whitespace-nowrap max-lg:hidden">
          {priceWords(workload)}
        </span>
      </button>
    </li>
  )
}

type MoreProps = { readonly waits: Waits; readonly all: boolean; readonly toggle: () => void }

function More({ waits: { workloads, total }, all, toggle }: MoreProps) {
  if (workloads.length <= FIRST) return undefined
  return (
    <div className="-mb-1.5 flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-2.5">
      <Button look="quiet" className="-ml-2.5" aria-expanded={all} onClick={toggle}>
        {all ? 'Show fewer' : `Show ${grouped(workloads.length - FIRST)} more`}
      </Button>
      {total > workloads.length && (
        <span className="text-12 text-ink-quiet">
          {grouped(total - workloads.length)} that waited less are in the CSV file of a report
        </span>
      )}
    </div>
  )
}
