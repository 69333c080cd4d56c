import { plural } from '@septet/domain/words'

import type { Family } from '../family.ts'
import { now } from '../phrases.ts'
import { freeOf, freeWords, isUnread, modelCalled, readFree } from './free-partitions.ts'

/** Whether as many whole GPUs are free as a job would hold. */
export const ROOM_FOR_GPUS: Family = {
  id: 'room-for-gpus',
  about: 'whether a job with so many GPUs could run',
  asks: [
    'Can I run a job with 16 {model}?',
    'Can I run a job with 8 GPUs now?',
    'Could I run a job on 4 {model} now?',
    'Is there room for a job with 8 GPUs?',
  ],
  takes: ['count', 'model', 'class'],
  answer: async (slots, reading) => {
    const list = await readFree(slots, reading)
    const { is, cite } = list
    const pages = [['Will it start?', '/workloads?start=yes']] as const
    const further = ['Where is a MIG partition free?', 'How long is the queue, and what shortens it?']
    if (isUnread(list))
      return {
        said: [['Whether that fits is unknown: the cluster has not been read yet.', cite]],
        pages,
        further,
        unknown: true,
      }
    const called = modelCalled(slots.model, is)
    const free = freeOf(is, slots.model)
    const wanted = Number(slots.count ?? '1')
    const most = Math.max(0, ...is.nodes.map((node) => freeOf({ ...is, nodes: [node] }, slots.model).whole))
    const verdict =
      free.whole < wanted
        ? `there is no room for ${plural(wanted, `whole ${called}`)}`
        : `there is room for ${plural(wanted, `whole ${called}`)}, at most ${most} on one node`
    return {
      said: [
        [`${now(is.asOf)}, ${verdict}. ${freeWords(free, called)}`, cite],
        ['“Will it start?” on the Workloads screen checks a manifest, with its quotas, taints and queue.', cite],
      ],
      pages,
      further,
    }
  },
}
