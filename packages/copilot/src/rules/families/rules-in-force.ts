import { cents, duration, percent, plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { instantWords } from '../times.ts'
import { now, path, quoted } from '../phrases.ts'

/** By what is judged: prices, policies, alert rules, and how fresh the data is. */
export const RULES_IN_FORCE: readonly Family[] = [
  {
    id: 'prices',
    about: 'the price of a GPU-hour, and where it is from',
    asks: [
      'What does a GPU cost per hour?',
      'Where do the prices come from?',
      'Which hourly rate applies to {model}?',
      'GPU prices',
    ],
    takes: ['range', 'model'],
    answer: async ({ range = '24h', model }, reading) => {
      const { is, cite } = await reading.from('pricesUsed', { range }, '/cost?view=prices')
      const uses = is.uses.filter((use) => model === undefined || use.model === model)
      const priced = uses.filter(({ usdPerGpuHour }) => usdPerGpuHour !== null)
      const [first] = priced
      const perHour = priced.reduce(
        (sum, { usdPerGpuHour, gpuHours }) => sum + ((usdPerGpuHour ?? 0) * gpuHours * 3600) / is.observedSeconds,
        0,
      )
      const unpriced = uses.length - priced.length
      return {
        said: [
          first === undefined
            ? [`${now(is.asOf)}, no price is known${model === undefined ? '' : ` for ${quoted(model)}`}.`, cite]
            : [
                `${now(is.asOf)}, a GPU-hour of ${quoted(first.model)} costs ${cents(first.usdPerGpuHour ?? 0)}. Source: ${first.source}.`,
                cite,
              ],
          ...(first === undefined || is.observedSeconds === 0
            ? []
            : [
                [
                  `${model === undefined ? 'All GPUs' : 'All of them'} together cost ${cents(perHour)} an hour${unpriced === 0 ? '' : `; ${plural(unpriced, 'kind')} of GPU has no price and is not in it`}.`,
                  cite,
                ] as const,
              ]),
        ],
        blocks: [
          table(
            'Prices in use',
            ['Model', 'Pool', '#A GPU-hour', 'Source'],
            uses.map(({ model: name, pool, usdPerGpuHour, source }) => ({
              cells: [name, pool, usdPerGpuHour === null ? 'No price known' : cents(usdPerGpuHour), source],
            })),
          ),
        ],
        pages: [['See the prices', '/cost?view=prices']],
        further: ['What do our GPUs cost?', 'What do GPUs cost by model?'],
      }
    },
  },
  {
    id: 'policies',
    about: 'the policies in force',
    asks: ['Which policies are in force?', 'What is the policy for idle?', 'What is the target utilization policy?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('policiesGet', {}, '/settings/policies')
      const { idle, rightSize, utilizationTarget, plans } = is.policies
      const spared = plans.protectedNamespaces
      return {
        said: [
          [
            `Idle means busy at or under ${percent(idle.threshold, 0)} for ${duration(idle.minimumSeconds)} in a row; the utilization target is ${percent(utilizationTarget, 0)}.`,
            cite,
          ],
          [
            `A smaller size keeps ${percent(rightSize.memoryMargin, 0)} of memory free above the peak. One plan displaces at most ${plural(plans.maxDisplaced, 'pod')}${spared.length === 0 ? '' : `, and none of ${spared.map(quoted).join(', ')}`}.`,
            cite,
          ],
        ],
        pages: [['See the policies', '/settings/policies']],
        further: ['What counts as idle?', 'May Septet act?'],
      }
    },
  },
  {
    id: 'alert-rules',
    about: 'when Septet alerts',
    asks: ['Which alert rules do we have?', 'What are the alert thresholds?', 'When does an alert fire?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('alertRulesGet', {}, '/settings/notifications')
      const rules = Object.entries(is.rules)
      return {
        said: [[`${rules.filter(([, { enabled }]) => enabled).length} of ${rules.length} alert rules are on.`, cite]],
        blocks: [
          table(
            'Alert rules',
            ['Alert', 'On', '#Threshold', '#For', 'Severity'],
            rules.map(([kind, { enabled, threshold, forMinutes, severity }]) => ({
              cells: [kind, enabled ? 'Yes' : 'No', String(threshold), duration(forMinutes * 60), severity],
            })),
          ),
        ],
        pages: [['See the rules', '/settings/notifications']],
        further: ['Which alerts are firing?', 'Which policies are in force?'],
      }
    },
  },
  {
    id: 'freshness',
    about: 'how old the data is',
    asks: [
      'How fresh is the data?',
      'How old are the metrics?',
      'When was the cluster updated last?',
      'When did telemetry report last?',
    ],
    takes: ['node'],
    answer: async (_slots, reading, at) => {
      const { is, cite } = await reading.from('qualityGet', {}, '/alerts')
      const age = is.asOf === null ? undefined : Math.max(0, at - Date.parse(is.asOf)) / 1000
      return {
        said: [
          [
            is.asOf === null || age === undefined
              ? 'Nothing has been read of this cluster yet.'
              : `The cluster was last read at ${instantWords(is.asOf)}, ${duration(age)} ago; ${is.measuredDevices} of ${plural(is.devices, 'device')} had reliable telemetry.`,
            cite,
          ],
        ],
        pages: [['See the alerts', '/alerts']],
        further: ['Which GPUs report no telemetry?', 'Is the cluster healthy?'],
      }
    },
  },
  {
    id: 'readings',
    about: 'power, temperature and clocks',
    asks: ['What is the temperature of the GPUs?', 'How much power do the GPUs draw?', 'Are GPUs throttled?'],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('partitionsList', { mig: 'false', limit: 1 }, '/fleet')
      const node = is.nodes[0]?.node
      return {
        said: [
          ['Power, temperature and clocks are shown for one GPU at a time: name it, or click it on the map.', cite],
        ],
        pages: [['See the fleet', '/fleet']],
        further: [
          node === undefined ? 'How many GPUs do we have?' : `What is the temperature of ${node}#0?`,
          'Which GPUs are broken?',
        ],
        unknown: true,
      }
    },
  },
  {
    id: 'report',
    about: 'reports to hand on',
    asks: ['Where is the PDF?', 'Can I get a monthly report?', 'Export a PDF document'],
    takes: ['range'],
    answer: async (_slots, reading) => {
      const { cite } = await reading.from('policiesGet', {}, '/settings/reports')
      return {
        said: [
          [
            'The Summary page has a PDF report of the range that it shows. Reports by mail are scheduled in Settings.',
            cite,
          ],
        ],
        pages: [
          ['See the summary', ''],
          ['See the schedules', '/settings/reports'],
        ],
        further: ['What have we saved, and what is next?', 'What do our GPUs cost?'],
      }
    },
  },
  {
    id: 'gpu-modes',
    about: 'how GPUs are shared',
    asks: [
      'How many GPUs are shared?',
      'Which GPUs use time-slicing?',
      'How many GPUs are in MIG mode?',
      'Are MIG or time-slicing GPUs in use?',
    ],
    takes: ['model', 'pool', 'node'],
    answer: async ({ model, pool, node }, reading) => {
      const asked = { mig: 'false', model, pool, node, limit: 1000 } as const
      const { is, cite } = await reading.from('partitionsList', asked, '/partitions')
      const gpus = is.nodes.flatMap((each) => each.gpus.map((gpu) => ({ ...gpu, node: each.node })))
      const counted = (mode: string): number => gpus.filter((gpu) => gpu.mode === mode).length
      const shared = gpus.filter(({ mode }) => mode === 'shared')
      return {
        said: [
          [
            `${now(is.asOf)}, of ${plural(gpus.length, 'GPU')}, ${counted('whole')} are whole, ${counted('mig')} are partitioned by MIG and ${shared.length} are shared by time-slicing or MPS.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'Shared GPUs',
            ['Node', '#GPU', 'Model'],
            shared.slice(0, 20).map(({ id, node: name, index, model: board }) => ({
              cells: [name, String(index), board],
              page: reading.page(path('/fleet', { gpu: id })),
            })),
            shared.length,
          ),
        ],
        pages: [['See the partitions', '/partitions']],
        further: ['Where is a MIG partition free?', 'Which workloads are worth sharing?'],
      }
    },
  },
]
