import { plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { now, path, quoted } from '../phrases.ts'
import { instantWords, rangeWords, withinOf } from '../times.ts'

/** Which GPUs there are, which are broken, and which cannot be measured. */
export const FLEET: readonly Family[] = [
  {
    id: 'capacity',
    about: 'how many GPUs there are',
    asks: [
      'How many GPUs do we have?',
      'What is our GPU capacity?',
      'How many nodes are there?',
      'Which GPU models do we have?',
    ],
    takes: ['model'],
    answer: async ({ model }, reading) => {
      const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '/fleet')
      const models = await reading.from(
        'partitionsList',
        { mig: 'false', limit: model === undefined ? 1 : 2000, model },
        '/fleet',
      )
      const { gpus, readyGpus, nodes, sentences } = is.capacity
      const ofModel = models.is.nodes.reduce((sum, node) => sum + node.gpus.length, 0)
      return {
        said: [
          ...(model === undefined
            ? []
            : [
                [
                  `${now(models.is.asOf)}, there are ${models.is.total > models.is.nodes.length ? 'at least ' : ''}${plural(ofModel, 'GPU')} on ${plural(models.is.total, 'node')} with ${quoted(model)}.`,
                  models.cite,
                ] as const,
              ]),
          [
            `${now(is.asOf)}, there are ${plural(gpus, 'GPU')} on ${plural(nodes, 'node')}; ${readyGpus} of them are ready.`,
            cite,
          ],
          ...sentences.slice(0, 2).map((text) => [text, cite] as const),
        ],
        blocks: [
          table(
            'GPU models',
            ['Model', '#Nodes'],
            models.is.facets.models.map(({ name, nodes: count }) => ({ cells: [name, String(count)] })),
          ),
        ],
        pages: [['See the fleet', '/fleet']],
        further: ['Which GPUs are broken?', 'How much of the fleet is allocated?'],
      }
    },
  },
  {
    id: 'broken',
    about: 'GPUs that cannot be used',
    asks: [
      'Which GPUs are broken?',
      'Are any GPUs faulty?',
      'Which GPUs have problems or faults?',
      'Are there GPU errors?',
    ],
    takes: ['count'],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('fleetBroken', {}, '/fleet')
      return {
        said: [
          [
            is.gpus.length === 0
              ? `${now(is.asOf)}, no GPU is broken.`
              : `${now(is.asOf)}, ${plural(is.gpus.length, 'GPU')} cannot be used.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'Broken GPUs',
            ['Node', '#GPU', 'Model', 'What is wrong'],
            is.gpus.slice(0, 20).map(({ id, node, index, model, problem }) => ({
              cells: [node, String(index), model, problem.message],
              page: reading.page(path('/fleet', { gpu: id })),
            })),
            is.gpus.length,
          ),
        ],
        pages: [['See the fleet', '/fleet']],
        further: ['What do broken GPUs cost?', 'Which GPUs report no telemetry?'],
      }
    },
  },
  {
    id: 'xid',
    about: 'XID errors',
    asks: ['Which XID errors were there?', 'How many XID faults?', 'XID'],
    takes: ['range'],
    answer: async ({ range }, reading, at) => {
      const { is, cite } = await reading.from('alertsList', { kind: 'xid', days: 90 }, '/alerts')
      const within = withinOf(range, at)
      const alerts = [...is.firing, ...is.history].filter((one) => one.resolvedAt === null || within(one.since))
      const when = range === undefined ? 'In the past 90 days' : rangeWords(range)
      if (alerts.length === 0 && is.note !== null) {
        const said = `${when}, whether there were XID errors is unknown: ${is.note}`
        return { said: [[said, cite]], pages: [['See the alerts', '/alerts']], unknown: true }
      }
      return {
        said: [
          [
            alerts.length === 0
              ? `${when}, no alert was raised for an XID error.`
              : `${when}, ${plural(alerts.length, 'alert')} raised for XID errors; ${is.firing.length} still firing.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'XID errors',
            ['On', 'Since', 'What'],
            alerts
              .slice(0, 20)
              .map(({ object, since, message }) => ({ cells: [object, instantWords(since), message] })),
            alerts.length,
          ),
        ],
        pages: [['See the alerts', '/alerts']],
        further: ['Which GPUs are broken?', 'Which alerts are firing?'],
      }
    },
  },
  {
    id: 'telemetry',
    about: 'what reports no telemetry',
    asks: [
      'Which GPUs report no telemetry?',
      'Can the metrics be trusted?',
      'Is telemetry missing?',
      'Is the exporter up?',
      'Telemetry status',
      'What lacks metrics?',
    ],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('qualityGet', {}, '/alerts')
      if (is.devices === 0) {
        const said = `${now(is.asOf)}, whether telemetry is reliable is unknown: devices have not been read.`
        return { said: [[said, cite]], pages: [['See the fleet', '/fleet']], unknown: true }
      }
      return {
        said: [
          [
            `${now(is.asOf)}, ${is.measuredDevices} of ${plural(is.devices, 'device')} report reliable telemetry.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'What is missing',
            ['Why', '#Devices', 'For example'],
            is.reasons.map(({ text, devices, examples }) => ({
              cells: [text, String(devices), examples.slice(0, 3).join(', ')],
            })),
          ),
        ],
        pages: [['See the fleet', '/fleet']],
        further: ['Which GPUs are broken?', 'Are our GPUs busy enough?'],
      }
    },
  },
]
