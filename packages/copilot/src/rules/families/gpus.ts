import type { OPERATIONS, OutputOf } from '@septet/contract'
import { FIELDS, SHOWN_FIELDS } from '@septet/domain'
import { listed, plural } from '@septet/domain/words'

import { table, type Family } from '../family.ts'
import { figure, now, path, quoted } from '../phrases.ts'
import { bars, MOST_BARS } from './bars.ts'
import { freePartitions } from './free-partitions.ts'

type Verdict = OutputOf<typeof OPERATIONS.partitionsRoom>['verdict']

const VERDICTS: Readonly<Record<Verdict, string>> = {
  now: 'fits now',
  recut: 'fits after free instances are repartitioned',
  displacing: 'fits only if running work moves',
  never: 'does not fit on any GPU',
}

/** GPUs: which there are, how they are cut, what is free and what is broken. */
export const GPUS: readonly Family[] = [
  {
    id: 'mig-free',
    about: 'where a MIG partition is free',
    asks: [
      'Where is a MIG partition free?',
      'Which MIG instances are free?',
      'Are there any free slices?',
      'Free GPUs',
      'What is free?',
      'Which GPUs are unallocated?',
    ],
    takes: ['model', 'pool', 'node'],
    answer: freePartitions,
  },
  {
    id: 'profile-fits',
    about: 'where a MIG profile fits',
    asks: [
      'Where does {profile} fit?',
      'Is there room for a {profile}?',
      'Where is {profile} free?',
      'Where {profile}?',
      'Can I run a {profile} job?',
      'Can I run a {profile} now?',
    ],
    takes: ['model', 'count'],
    answer: async ({ profile = '', model, count = '1' }, reading) => {
      const at = path('/partitions', { view: 'room', profile })
      const { is, cite } = await reading.from('partitionsRoom', { profile, model, count: Number(count), limit: 24 }, at)
      const wanted = is.count === 1 ? is.profile : `${is.count} × ${is.profile}`
      return {
        said: [
          [
            `${now(is.asOf)}, ${wanted} ${VERDICTS[is.verdict]}: ${is.now} more fit as GPUs are partitioned now, ${is.recut} more after repartitioning.`,
            cite,
          ],
          ...is.refusals.slice(0, 2).map(({ because, gpus }) => [`${plural(gpus, 'GPU')}: ${because}`, cite] as const),
        ],
        blocks: [
          table(
            'Where it fits',
            ['Node', 'GPU', '#Now', '#After repartitioning'],
            is.places.map((place) => ({
              cells: [place.node, String(place.gpu.index), String(place.now), String(place.recut)],
              page: reading.page(path('/partitions', { node: place.node })),
            })),
          ),
          is.places.length === 0
            ? undefined
            : {
                kind: 'slices',
                title: 'Where it fits',
                gpus: is.places.slice(0, MOST_BARS).map(({ node, gpu }) => ({ node, gpu })),
              },
        ],
        pages: [['See where it fits', at]],
        further: ['Where is a MIG partition free?', 'How fragmented is MIG?'],
      }
    },
  },
  {
    id: 'layout',
    about: 'how a node is partitioned',
    asks: [
      'What is the layout of {node}?',
      'How is {node} partitioned?',
      'What holds {node}?',
      'Who uses {node}?',
      'How busy is {node}?',
      'How busy was {node}?',
      'What runs on {node}?',
      'Who is on {node}?',
    ],
    takes: [],
    answer: async ({ node = '' }, reading) => {
      const at = path('/partitions', { node })
      const { is, cite } = await reading.from('partitionsList', { mig: 'false', node }, at)
      const [one] = is.nodes
      if (one === undefined)
        return {
          said: [[`${now(is.asOf)}, node ${quoted(node)} has no GPU that can be shown.`, cite]],
          further: ['How many GPUs do we have?'],
        }
      const holders = [
        ...new Set(one.gpus.flatMap(({ blocks }) => blocks.flatMap(({ holder }) => (holder === null ? [] : [holder])))),
      ]
      return {
        said: [
          [
            `${now(is.asOf)}, ${quoted(node)} has ${plural(one.gpus.length, 'GPU')} (${one.model}) in ${plural(one.total, 'partition')}: ${one.used} used, ${one.available} available${one.ready ? '' : '; it is not ready'}.`,
            cite,
          ],
          [
            `Busy over the past hour: ${figure(one.utilization)}.${holders.length === 0 ? '' : ` It is held by ${listed(holders.slice(0, 8).map(quoted))}.`}`,
            cite,
          ],
        ],
        blocks: [bars('Its GPUs', [one])],
        pages: [['See the node', at]],
        further: [`What does node ${node} cost?`, 'Where is a MIG partition free?'],
      }
    },
  },
  {
    id: 'one-gpu',
    about: 'one GPU',
    asks: [
      'Which GPU is {gpu}?',
      'Who holds {gpu}?',
      'Is {gpu} healthy?',
      'How busy is {gpu}?',
      'Is {gpu} broken?',
      'What runs on {gpu}?',
      'Which pods are on {gpu}?',
      'What is the temperature of {gpu}?',
      'How much memory does {gpu} use?',
    ],
    takes: [],
    answer: async ({ gpu = '' }, reading) => {
      const at = path('/fleet', { gpu })
      const { is, cite } = await reading.from('fleetGpu', { gpu }, at)
      const holders = is.partitions.flatMap(({ name, holders: some }) =>
        some.map(({ workload }) => `${name}: ${quoted(workload)}`),
      )
      return {
        said: [
          [
            `${now(is.asOf)}, GPU ${is.gpu.index} of ${quoted(is.node.name)} (${is.gpu.model}): ${holders.length === 0 ? 'no workload holds it' : `held by ${listed(holders.slice(0, 8))}`}.`,
            cite,
          ],
          [
            `Memory in use: ${figure(is.reading.memoryUsed)}. ${SHOWN_FIELDS.map((field) => `${FIELDS[field].shown.label}: ${figure(is.reading[field])}`).join('. ')}. ${is.gpu.fault === null ? 'No fault is known.' : is.gpu.fault.message}`,
            cite,
          ],
        ],
        blocks: [{ kind: 'slices', title: 'The GPU', gpus: [{ node: is.node.name, gpu: is.gpu }] }],
        pages: [['See the GPU', at]],
        further: ['Which GPUs are broken?', 'Where is a MIG partition free?'],
      }
    },
  },
  {
    id: 'stranded-layouts',
    about: 'layouts that strand slices',
    asks: [
      'Which layouts strand slices?',
      'How many slices are stranded?',
      'Where are slices stranded?',
      'Why are slices stranded?',
    ],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('partitionsEfficiency', {}, '/partitions?view=efficiency')
      const { structural, byPlacement, gpus } = is.fleet
      return {
        said: [
          structural === null || byPlacement === null
            ? [
                'Stranded slices belong to no namespace, so you can see them only if you can see the whole cluster.',
                cite,
              ]
            : [
                `${now(is.asOf)}, ${structural + byPlacement} compute slices of ${plural(gpus, 'GPU')} in MIG mode are stranded: ${structural} because of the profiles chosen, ${byPlacement} because of where instances sit.`,
                cite,
              ],
        ],
        blocks: [
          table(
            'Layouts that strand slices',
            ['Model', 'Layout', '#GPUs', 'Why'],
            is.stranded.slice(0, 10).map(({ model, layout, gpus: count, because }) => ({
              cells: [
                model,
                layout.map(({ profile, start }) => `${profile}@${start}`).join(' '),
                String(count),
                because,
              ],
            })),
            is.stranded.length,
          ),
        ],
        pages: [['See the partitions', '/partitions']],
        further: ['How fragmented is MIG?', 'Where is a MIG partition free?'],
      }
    },
  },
]
