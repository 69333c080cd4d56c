import type { OPERATIONS, OutputOf } from '@septet/contract'
import { cents, plural } from '@septet/domain/words'

import { now, over, path, quoted } from './phrases.ts'
import { replyTable, type ReplyOf } from './reply.ts'

type Breakdown = OutputOf<typeof OPERATIONS.costBreakdown>
type Group = Breakdown['groups'][number]

const RANGE = '24h'
const SHOWN = 10
const NO_NAME = { none: '(none)', unknown: '(unknown)', free: '(unallocated)' } as const

const amount = (usd: number | undefined): string => (usd === undefined ? 'no price known' : cents(usd))
const costlyFirst = (a: Group, b: Group): number =>
  (b.usd?.capacity ?? 0) - (a.usd?.capacity ?? 0) || b.gpuHours.capacity - a.gpuHours.capacity

/** What GPUs cost by namespace. */
export const costliestNamespace: ReplyOf = async (reading) => {
  const asked = { range: RANGE, by: 'namespace' } as const
  const at = path('/cost', asked)
  const { is, cite } = await reading.from('costBreakdown', asked, at)
  const pages = [['See the cost', at]] as const
  const unknown = heldUnknown(is)
  if (unknown !== undefined) {
    const said = `${over(RANGE, is.asOf)}, what GPUs cost by namespace is unknown: ${unknown}`
    return { said: [[said, cite]], pages, unknown: true }
  }
  const sorted = is.groups.toSorted(costlyFirst)
  const named = sorted.filter(({ kind }) => kind === 'named')
  const [first] = named
  return {
    said: [
      first === undefined
        ? [`${over(RANGE, is.asOf)}, no namespace held a GPU.`, cite]
        : [
            `${over(RANGE, is.asOf)}, ${quoted(first.key)} cost the most of ${plural(named.length, 'namespace')}: ${amount(first.usd?.capacity)}.`,
            cite,
          ],
      [`Total: ${is.total === null ? 'unknown' : amount(is.total.usd?.capacity)}.`, cite],
    ],
    blocks: [
      replyTable(
        'Cost by namespace',
        ['namespace', '#Cost', '#Idle', '#GPU-hours'],
        sorted.slice(0, SHOWN).map(({ key, kind, usd, gpuHours }) => ({
          cells: [
            kind === 'named' ? key : NO_NAME[kind],
            amount(usd?.capacity),
            amount(usd?.idleHeld),
            gpuHours.capacity.toFixed(1),
          ],
        })),
        sorted.length,
      ),
    ],
    pages,
    further: ['month-forecast', 'most-waste'],
  }
}

/** Why nothing is known of what was held, in a sentence; undefined where it is known. Nothing seen is not nothing held. */
function heldUnknown({ total, observedSeconds, notes }: Breakdown): string | undefined {
  if (total === null) return 'The sample data has no such figure; choose a cluster to see it.'
  return observedSeconds === 0 ? (notes[0] ?? 'Nothing was seen in this window.') : undefined
}

/** What this month will cost. */
export const monthForecast: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('budgetsList', {}, '/cost')
  if (is.outlook === null) return { said: [['No forecast is made of sample data.', cite]], unknown: true }
  const { forecast, month, spent } = is.outlook
  return {
    said: [
      [
        forecast.kind === 'unknown'
          ? `No forecast for ${month}: ${forecast.because}`
          : `${month} is expected to cost ${cents(forecast.usd)}${forecast.low === forecast.high ? '' : ` (80% interval: ${cents(forecast.low)} to ${cents(forecast.high)})`}.`,
        cite,
      ],
      [
        `${now(is.asOf)}, ${spent === null ? 'spending this month is unknown' : `${cents(spent)} has been spent this month`}.`,
        cite,
      ],
    ],
    pages: [['See the cost', '/cost']],
    further: ['cost-this-month', 'costliest-namespace'],
  }
}
