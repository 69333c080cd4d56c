import type { InputOf, FiguresOf, queueWaits } from '@septet/contract'
import { WAIT_CAUSES } from '@septet/domain'

import { SAMPLE_ANSWERED } from '../answering/source.ts'
import { fixed } from './sample.ts'
import { sampleWaits, sampleWorkloadRows } from './sample-tables.ts'

type Waits = FiguresOf<typeof queueWaits>

/** Dollars for a GPU-hour that was waited for. */
const PRICE = 2.5

/** What waited in the sample week. */
export function sampleWaitsAnswer({ workload }: InputOf<typeof queueWaits>): Waits {
  const causes = sampleWaits.map(({ cause, hours, workloads, change }): Waits['causes'][number] => ({
    cause,
    ...WAIT_CAUSES[cause],
    ...amount(hours),
    workloads,
    waiting: workloads,
    change: { ...change },
  }))
  const hours = sampleWaits.reduce((sum, each) => sum + each.hours, 0)
  const queued = sampleWorkloadRows.flatMap(({ name, namespace, count, model, status, minutes }) => {
    const id = `${namespace}/Job/${name}`
    const [first] = causes
    if (status !== 'queued' || first === undefined || (workload !== undefined && workload !== id)) return []
    const waited = { ...amount((count * minutes) / 60), seconds: minutes * 60 }
    const asks = `${count} × ${model}`
    return [
      {
        ...waited,
        id,
        name,
        namespace,
        asks,
        waitsFor: first.cause,
        causes: [{ ...first, ...waited, workloads: 1, waiting: 1 }],
      },
    ]
  })
  return {
    ...SAMPLE_ANSWERED,
    seconds: causes.reduce((sum, each) => sum + each.seconds, 0),
    hours: fixed(hours, 'GPU-h'),
    cost: fixed(hours * PRICE, 'USD'),
    causes,
    workloads: queued,
    total: queued.length,
    note: 'Sample figures: the price of the GPUs that work waited for, not money lost in a bill.',
    withheld: null,
  }
}

/** On average two GPUs were asked for. */
const amount = (hours: number): Pick<Waits['causes'][number], 'seconds' | 'gpuHours' | 'usd'> => ({
  seconds: hours * 1800,
  gpuHours: hours,
  usd: hours * PRICE,
})
