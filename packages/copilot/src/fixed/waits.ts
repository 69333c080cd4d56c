import type { OPERATIONS, OutputOf } from '@septet/contract'
import { duration, plural } from '@septet/domain/words'

import { now, over, path, quoted } from './phrases.ts'
import { replyTable, type ReplyOf } from './reply.ts'

const RANGE = '24h'
const AT = path('/workloads', { range: RANGE, view: 'waits' })

/** How long the queue is, and what shortens it. */
export const queueReply: ReplyOf = async (reading) => {
  const asked = { range: RANGE, status: 'queued', sort: 'duration', limit: 1 } as const
  const list = await reading.from('workloadsList', asked, AT)
  const waits = await reading.from('queueWaits', { range: RANGE }, AT)
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
    pages: [['See the queue', AT]],
    further: ['longest-wait', 'waits-and-why'],
  }
}

/** What waits, and why. */
export const waitsAndWhy: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('queueWaits', { range: RANGE }, AT)
  const [first] = is.causes
  return {
    said: [
      first === undefined
        ? [`${over(RANGE, is.asOf)}, no GPU work had to wait.`, cite]
        : [
            `${over(RANGE, is.asOf)}, ${plural(is.total, 'workload')} waited ${duration(is.seconds)} in total. The main cause: ${first.name} (${first.meaning}).`,
            cite,
          ],
      ...(is.withheld === null ? [] : [[is.withheld, cite] as const]),
    ],
    blocks: [causes(is.causes)],
    pages: [['See the waits', AT]],
    further: ['queue', 'longest-wait'],
  }
}

const causes = (some: OutputOf<typeof OPERATIONS.queueWaits>['causes']) =>
  replyTable(
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
