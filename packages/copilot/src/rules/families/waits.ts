import type { OPERATIONS, OutputOf } from '@septet/contract'
import { duration, plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { figure, now, over, path, quoted } from '../phrases.ts'

/** What waits, for what, and what ends it. */
export const WAITS: readonly Family[] = [
  {
    id: 'queue',
    about: 'how long the queue is, and what shortens it',
    asks: [
      'How long is the queue, and what shortens it?',
      'What would start the waiting work?',
      'How long is the queue?',
      'How do we shorten the queue?',
      'How long do jobs wait?',
      'What would unblock the most?',
    ],
    takes: ['range', 'count'],
    leads: { why: 'wait-causes' },
    answer: async (slots, reading) => {
      const range = slots.range ?? '24h'
      const at = path('/workloads', { range, view: 'waits' })
      const list = await reading.from('workloadsList', { range, status: 'queued', sort: 'duration', limit: 1 }, at)
      const waits = await reading.from('queueWaits', { range }, at)
      const [oldest] = list.is.workloads
      const changes = waits.is.causes.filter(({ waiting }) => waiting > 0)
      const best = changes.find(({ change }) => change !== null)
      const waiting = list.is.counts.queued
      return {
        said: [
          waiting === 0
            ? [`${now(list.is.asOf)}, nothing waits.`, list.cite]
            : [
                `${now(list.is.asOf)}, ${plural(waiting, 'workload')} ${waiting === 1 ? 'waits' : 'wait'}${oldest === undefined || oldest.duration === null ? '' : `, the longest, ${quoted(oldest.id)}, for ${duration(oldest.duration)}`}.`,
                list.cite,
              ],
          ...(waiting === 0
            ? []
            : [[best?.change?.sentence ?? 'No single change is known that shortens it.', waits.cite] as const]),
        ],
        blocks: [causes(changes)],
        pages: [['See the queue', at]],
        further: ['What has been waiting longest?', 'What did waiting cost?'],
      }
    },
  },
  {
    id: 'wait-causes',
    about: 'what waits, and why',
    asks: [
      'What waits and why?',
      'Why are jobs pending?',
      'What are the reasons for waiting?',
      'Why is work stuck in the queue?',
    ],
    takes: ['range', 'count'],
    leads: { start: 'queue' },
    answer: async (slots, reading) => {
      const range = slots.range ?? '24h'
      const at = path('/workloads', { range, view: 'waits' })
      const { is, cite } = await reading.from('queueWaits', { range }, at)
      const [first] = is.causes
      return {
        said: [
          first === undefined
            ? [`${over(slots, is.asOf)}, no GPU work had to wait.`, cite]
            : [
                `${over(slots, is.asOf)}, ${plural(is.total, 'workload')} waited ${duration(is.seconds)} in total. The main cause: ${first.name} (${first.meaning}).`,
                cite,
              ],
          ...(is.withheld === null ? [] : [[is.withheld, cite] as const]),
        ],
        blocks: [causes(is.causes)],
        pages: [['See the waits', at]],
        further: ['How long is the queue, and what shortens it?', 'What did waiting cost?'],
      }
    },
  },
  {
    id: 'wait-average',
    about: 'how long work waits on average',
    asks: [
      'How long does work wait on average?',
      'What is the average queue wait?',
      'What is the typical waiting time?',
    ],
    takes: ['range', 'namespace'],
    answer: async (slots, reading) => {
      const { range = '7d', namespace } = slots
      const at = path('/workloads', { range, view: 'waits' })
      const { is, cite } = await reading.from('queueWaits', { range, limit: 2000 }, at)
      const { total, seconds } = waitsOf(is, namespace)
      const when = `${over({ range }, is.asOf)}${namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`}`
      return {
        said: [
          [
            total === 0
              ? `${when}, no GPU work had to wait.`
              : `${when}, ${plural(total, 'workload')} waited ${duration(seconds / total)} on average; workloads that started right away are not counted.`,
            cite,
          ],
        ],
        pages: [['See the waits', at]],
        further: ['What waits and why?', 'What did waiting cost?'],
      }
    },
  },
  {
    id: 'wait-cost',
    about: 'what waiting cost',
    asks: ['What did waiting cost?', 'How much money was lost in the queue?', 'Cost of the queue'],
    takes: ['range'],
    answer: async (slots, reading) => {
      const range = slots.range ?? '24h'
      const at = path('/workloads', { range, view: 'waits' })
      const { is, cite } = await reading.from('queueWaits', { range }, at)
      return {
        said: [
          [`${over(slots, is.asOf)}, work waited for ${figure(is.hours)}, priced at ${figure(is.cost)}.`, cite],
          [is.note, cite],
        ],
        pages: [['See the waits', at]],
        further: ['What waits and why?', 'How long is the queue, and what shortens it?'],
      }
    },
  },
]

type Waits = OutputOf<typeof OPERATIONS.queueWaits>

function waitsOf(waits: Waits, namespace: string | undefined): Pick<Waits, 'total' | 'seconds'> {
  if (namespace === undefined) return waits
  const own = waits.workloads.filter((one) => one.namespace === namespace)
  return { total: own.length, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) }
}

type Cause = {
  readonly name: string
  readonly seconds: number
  readonly workloads: number
  readonly waiting: number
  readonly change: { readonly sentence: string } | null
}

const causes = (some: readonly Cause[]) =>
  table(
    'What was waited for',
    ['Cause', '#Waited', '#Workloads', '#Waiting now', 'What ends it'],
    some.map(({ name, seconds, workloads, waiting, change }) => ({
      cells: [
        name,
        duration(seconds),
        String(workloads),
        String(waiting),
        change?.sentence ?? 'No single change is known',
      ],
    })),
  )
