import { agree, listed, plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { cell, now, over, path, quoted } from '../phrases.ts'
import { isUnread } from './free-partitions.ts'

const ALL = 2000
/** What of a GPU a workload holds, or would if it may be seen. */
const HELD: ReadonlySet<string> = new Set(['busy', 'idle', 'unknown', 'others'])

/** How many of something there are: GPUs that are held, nodes that are down, workloads that ended. */
export const COUNTS: readonly Family[] = [
  {
    id: 'gpus-in-use',
    about: 'how many GPUs workloads hold',
    asks: ['How many GPUs are in use?', 'How many GPUs are allocated now?', 'How many {model} are in use?'],
    takes: ['model', 'pool', 'node'],
    answer: async ({ model, pool, node }, reading) => {
      const asked = { mig: 'false', model, pool, node, limit: ALL } as const
      const at = path('/partitions', { model, pool, node })
      const list = await reading.from('partitionsList', asked, at)
      const { is, cite } = list
      const pages = [['See the partitions', at]] as const
      const further = ['Where is a MIG partition free?', 'How busy are the allocated GPUs?']
      if (isUnread(list))
        return { said: [['What is in use is unknown: the cluster has not been read yet.', cite]], unknown: true, pages }
      const gpus = is.nodes.flatMap((each) => each.gpus).filter((gpu) => model === undefined || gpu.model === model)
      const held = gpus.filter(({ blocks }) => blocks.some(({ kind }) => HELD.has(kind)))
      const partly = held.filter(({ blocks }) => blocks.some(({ kind }) => !HELD.has(kind))).length
      const count = `${is.total > is.nodes.length ? 'at least ' : ''}${plural(gpus.length, model === undefined ? 'GPU' : `${model} GPU`)}`
      return {
        said: [
          [
            `${now(is.asOf)}, ${held.length} of ${count} ${agree(held.length, 'is', 'are')} in use: ${held.length - partly} wholly, ${partly} in part. No workload holds the other ${gpus.length - held.length}.`,
            cite,
          ],
        ],
        pages,
        further,
      }
    },
  },
  {
    id: 'nodes-down',
    about: 'nodes that are not ready or are cordoned',
    asks: ['How many nodes are down?', 'Which nodes are not ready?', 'Are any nodes down?'],
    takes: ['model', 'pool'],
    answer: async ({ model, pool }, reading) => {
      const list = await reading.from('partitionsList', { mig: 'false', model, pool, limit: ALL }, '/partitions')
      const { is, cite } = list
      const pages = [['See the nodes', '/partitions']] as const
      if (isUnread(list))
        return {
          said: [['Which nodes are down is unknown: the cluster has not been read yet.', cite]],
          unknown: true,
          pages,
        }
      const down = is.nodes.filter(({ ready }) => !ready)
      const cordoned = is.nodes.filter(({ ready, schedulable }) => ready && !schedulable)
      const named = (nodes: typeof down): string =>
        nodes.length === 0 ? '' : ` (${listed(nodes.slice(0, 8).map(({ node }) => quoted(node)))})`
      return {
        said: [
          [
            `${now(is.asOf)}, ${down.length} of ${plural(is.nodes.length, 'GPU node')} ${agree(down.length, 'is', 'are')} not ready${named(down)}; ${cordoned.length} more ${agree(cordoned.length, 'is', 'are')} cordoned${named(cordoned)}.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'Nodes that take no new work',
            ['Node', 'Model', 'Why'],
            [...down, ...cordoned].slice(0, 20).map(({ node, model: board, ready, problems }) => ({
              cells: [
                node,
                board,
                [ready ? 'Cordoned' : 'Not ready', ...problems.map(({ message }) => message)].join('. '),
              ],
              page: reading.page(path('/partitions', { node })),
            })),
            down.length + cordoned.length,
          ),
        ],
        pages,
        further: ['Which GPUs are broken?', 'Which alerts are firing?'],
      }
    },
  },
  {
    id: 'ended',
    about: 'workloads that ended',
    asks: ['How many jobs ran yesterday?', 'How many jobs finished today?', 'Which workloads ended in {namespace}?'],
    takes: ['range', 'namespace', 'tenant', 'class', 'count'],
    answer: async (slots, reading) => {
      const { range = '24h', namespace, tenant, class: kind, count = '10' } = slots
      const at = path('/workloads', { range, status: 'ended', q: namespace })
      const narrowed = { range, namespace, tenant, class: kind, sort: 'cost' } as const
      const { is, cite } = await reading.from(
        'workloadsList',
        { ...narrowed, status: 'ended', limit: Number(count) },
        at,
      )
      const running = await reading.from('workloadsList', { ...narrowed, status: 'running', limit: 1 }, at)
      const where = namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`
      return {
        said: [
          [
            `${over(slots, is.asOf)}${where}, ${plural(is.total, 'workload')} that held GPUs ${agree(is.total, 'has', 'have')} ended.`,
            cite,
          ],
          [
            `${plural(running.is.total, 'workload')} ${agree(running.is.total, 'is', 'are')} running now.`,
            running.cite,
          ],
        ],
        blocks: [
          table(
            'Ended',
            ['Workload', '#Busy', '#Cost'],
            is.workloads.map((row) => ({
              cells: [row.id, cell(row.busy), cell(row.cost)],
              page: reading.page(path('/workloads', { range, workload: row.id })),
            })),
            is.total,
          ),
        ],
        pages: [['See the workloads', at]],
        further: ['What are the most expensive workloads?', 'How many workloads are running?'],
      }
    },
  },
  {
    id: 'what-if',
    about: 'what another fleet would do',
    asks: [
      'What if we had another fleet?',
      'What if {node} is down?',
      'What if we had more {model}?',
      'Simulate another fleet',
    ],
    takes: ['node', 'model', 'pool', 'count', 'profile'],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('queueWaits', { range: '24h' }, '/actions/what-if')
      const waiting = is.causes.filter((cause) => cause.waiting > 0)
      const change = waiting.find((cause) => cause.change !== null)?.change?.sentence
      return {
        said: [
          [
            'I tell what is, not what would be: the What if screen replays the last week’s work on a fleet that you describe, without changing anything.',
            cite,
          ],
          ...(change === undefined ? [] : [[`Of work that waits now: ${change}`, cite] as const]),
        ],
        unknown: true,
        pages: [['Open What if', '/actions/what-if']],
        further: ['Which nodes could we consolidate?', 'How long is the queue, and what shortens it?'],
      }
    },
  },
]
