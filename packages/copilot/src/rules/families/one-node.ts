import { FIELDS, SHOWN_FIELDS } from '@septet/domain'
import { plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { cell, figure, now, path, quoted } from '../phrases.ts'

/** GPUs of a node that are read one by one. */
const MOST_READ = 8

/** What is wrong with one node, and what its GPUs measure. */
export const ONE_NODE: readonly Family[] = [
  {
    id: 'node-health',
    about: 'what is wrong with one node',
    asks: [
      'What is the problem with {node}?',
      'What is the problem with node {node}?',
      'What is wrong with {node}?',
      'Is {node} healthy?',
      'Is node {node} broken?',
    ],
    takes: [],
    answer: async ({ node = '' }, reading) => {
      const at = path('/partitions', { node })
      const { is, cite } = await reading.from('partitionsList', { mig: 'false', node }, at)
      const alerts = await reading.from('alertsList', {}, '/alerts')
      const [one] = is.nodes
      const pages = [['See the node', at]] as const
      const further = [`What is the layout of ${node}?`, 'Which alerts are firing?']
      if (one === undefined)
        return { said: [[`${now(is.asOf)}, node ${quoted(node)} has no GPU that can be shown.`, cite]], pages, further }
      const faults = one.gpus.flatMap(({ index, fault }) => (fault === null ? [] : [`GPU ${index}: ${fault.message}`]))
      const found = [
        ...(one.ready ? [] : ['It is not ready.']),
        ...(one.schedulable ? [] : ['It is cordoned: nothing new is scheduled on it.']),
        ...one.problems.map(({ message }) => message),
        ...faults,
      ]
      const ids = new Set([`node/${node}`, ...one.gpus.map(({ id }) => `gpu/${id}`)])
      const firing = alerts.is.firing.filter(({ object }) => ids.has(object))
      return {
        said: [
          [
            `${now(is.asOf)}, ${found.length === 0 ? `no problem of node ${quoted(node)} or its ${plural(one.gpus.length, 'GPU')} is known` : `node ${quoted(node)} has ${plural(found.length, 'known problem')}`}.`,
            cite,
          ],
          ...found.slice(0, 5).map((text) => [text, cite] as const),
          firing.length === 0
            ? ['No alert about it is firing.', alerts.cite]
            : [
                `${plural(firing.length, 'alert')} about it: ${firing
                  .slice(0, 3)
                  .map(({ message }) => message)
                  .join(' ')}`,
                alerts.cite,
              ],
        ],
        pages,
        further,
      }
    },
  },
  {
    id: 'node-readings',
    about: 'temperature, power and clocks of the GPUs of one node',
    asks: [
      'What is the temperature of {node}?',
      'What is the temperature of node {node}?',
      'How much power does {node} draw?',
    ],
    takes: [],
    answer: async ({ node = '' }, reading) => {
      const at = path('/partitions', { node })
      const list = await reading.from('partitionsList', { mig: 'false', node }, at)
      const gpus = list.is.nodes.flatMap((one) => one.gpus)
      const read = await Promise.all(
        gpus.slice(0, MOST_READ).map(({ id }) => reading.from('fleetGpu', { gpu: id }, path('/fleet', { gpu: id }))),
      )
      return {
        said: [
          [
            gpus.length === 0
              ? `${now(list.is.asOf)}, node ${quoted(node)} has no GPU that can be shown.`
              : `${now(list.is.asOf)}, node ${quoted(node)} has ${plural(gpus.length, 'GPU')}${gpus.length > MOST_READ ? `, of which ${MOST_READ} are told` : ''}:`,
            list.cite,
          ],
          ...read.map(
            ({ is, cite }) =>
              [
                `GPU ${is.gpu.index}: ${SHOWN_FIELDS.map((field) => `${FIELDS[field].shown.label} ${figure(is.reading[field])}`).join(', ')}.`,
                cite,
              ] as const,
          ),
        ],
        blocks: [
          table(
            'Its GPUs',
            ['#GPU', ...SHOWN_FIELDS.map((field) => `#${FIELDS[field].shown.label}`)],
            read.map(({ is }) => ({
              cells: [String(is.gpu.index), ...SHOWN_FIELDS.map((field) => cell(is.reading[field]))],
              page: reading.page(path('/fleet', { gpu: is.gpu.id })),
            })),
          ),
        ],
        pages: [['See the node', at]],
        further: [`What is wrong with ${node}?`, `What is the layout of ${node}?`],
      }
    },
  },
]
