import type { OPERATIONS, OutputOf } from '@septet/contract'
import { listed, memory, plural, short } from '@septet/domain/words'

import { table, type Family, type Reply, type SlotName, type Slots } from '../family.ts'
import { figure, now, over, path, quoted } from '../phrases.ts'
import type { Cited, Reading } from '../reading.ts'

type Detail = OutputOf<typeof OPERATIONS.workloadsGet>
type Size = NonNullable<Detail['size']>

/** A question about one workload, answered from all that is known of it. */
type Row = Pick<Family, 'id' | 'about' | 'asks' | 'leads'> & {
  readonly alsoTakes?: readonly SlotName[]
  readonly says: (detail: Cited<'workloadsGet'>, id: string, slots: Slots) => Reply
}

const limits = ({ model, profile }: Size['held']): string =>
  profile === '' ? `a whole ${model}` : `${profile} of ${model}`

const ROWS: readonly Row[] = [
  {
    id: 'why-waits',
    about: 'why one workload waits',
    asks: [
      'Why is {workload} pending?',
      'What is {workload} waiting for?',
      'Why {workload}?',
      'Why does {workload} not run?',
    ],
    leads: { start: 'would-start' },
    says: ({ is, cite }, id) => {
      const { wait } = is
      if (wait === null)
        return {
          said: [[`${now(is.asOf)}, ${quoted(id)} does not wait: it is ${is.workload.status}.`, cite]],
          further: [`What does ${id} hold?`, 'What waits and why?'],
        }
      const places = wait.place?.sentences.slice(0, 3) ?? (wait.withheld === null ? [] : [wait.withheld])
      return {
        said: [
          [
            `${now(is.asOf)}, ${quoted(id)} waits: ${wait.reason}, in the scheduler’s words ${quoted(wait.message)}.`,
            cite,
          ],
          ...places.map((text) => [text, cite] as const),
        ],
        further: [`What would start ${id}?`, 'What waits and why?'],
      }
    },
  },
  {
    id: 'would-start',
    about: 'what would start a waiting workload',
    asks: ['What would start {workload}?', 'When will {workload} start?', 'What would unblock pending {workload}?'],
    says: ({ is, cite }, id) => {
      const hints = is.wait?.hints ?? []
      if (is.wait === null)
        return {
          said: [[`${now(is.asOf)}, ${quoted(id)} does not wait: it is ${is.workload.status}.`, cite]],
          further: ['What waits and why?'],
        }
      const said =
        hints.length === 0
          ? 'no single change is known that would start it'
          : (hints[0]?.sentence.replace(/\.$/u, '') ?? '')
      return {
        said: [[`${now(is.asOf)}, for ${quoted(id)}: ${said}.`, cite]],
        blocks: [
          table(
            'What would start it',
            ['Change', 'Sentence'],
            hints.map(({ kind, sentence }) => ({ cells: [kind, sentence] })),
          ),
        ],
        further: [`Why is ${id} pending?`, 'What waits and why?'],
      }
    },
  },
  {
    id: 'what-holds',
    about: 'what one workload holds',
    asks: [
      'What does {workload} hold?',
      'Which GPUs does {workload} use?',
      'What GPUs are allocated to {workload}?',
      'Where does {workload} run?',
      'Which GPUs does {workload} have?',
      'Which node runs {workload}?',
    ],
    says: ({ is, cite }, id) => {
      const { holds } = is.workload
      const held = is.pods.filter((pod) => pod.holds.length > 0)
      return {
        said: [
          [
            holds === null
              ? `${now(is.asOf)}, ${quoted(id)} holds nothing: it is ${is.workload.status}.`
              : `${now(is.asOf)}, ${quoted(id)} holds ${short(holds.gpus)} GPU on ${plural(is.gpuCount, 'GPU')}, of that idle now: ${short(holds.idle)}.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'What its pods hold',
            ['Pod', 'Node', 'Holds'],
            held
              .slice(0, 20)
              .map(({ name, node, holds: what }) => ({ cells: [name, node ?? 'none', what.join(', ')] })),
            held.length,
          ),
          is.gpus.length === 0 ? undefined : { kind: 'slices', title: 'GPUs that it holds a part of', gpus: is.gpus },
        ],
        further: [`How busy is ${id}?`, `Which size does ${id} need?`],
      }
    },
  },
  {
    id: 'size-needed',
    about: 'which size one workload needs',
    asks: [
      'Which size does {workload} need?',
      'Is {workload} oversized?',
      'Would {workload} fit a smaller instance?',
      'Would {workload} fit?',
      'How much memory does {workload} use?',
      'How much memory is left to {workload}?',
    ],
    alsoTakes: ['profile'],
    says: ({ is, cite }, id) => {
      const { size } = is
      const said =
        size === null
          ? `which size ${quoted(id)} needs is unknown${is.sizeUnknown === null ? '' : `: ${is.sizeUnknown.replace(/\.$/u, '')}`}`
          : `${quoted(id)} holds ${limits(size.held)}${peak(size)}; ${SIZES[size.verdict](size)}`
      return {
        said: [[`${over({}, is.asOf)}, ${said}.`, cite]],
        further: [`What do you recommend for ${id}?`, `What does ${id} cost?`],
      }
    },
  },
  {
    id: 'how-busy',
    about: 'how busy one workload is',
    asks: [
      'How busy is {workload}?',
      'What is the utilization of {workload}?',
      'Is {workload} idle?',
      'How much does {workload} waste?',
      'How long was {workload} idle?',
    ],
    says: ({ is, cite }, id, slots) => ({
      said: [
        [
          `${over(slots, is.asOf)}, ${quoted(id)} was busy: ${figure(is.workload.busy)}. It held ${figure(is.hours)}, of that idle: ${figure(is.idleHours)}.`,
          cite,
        ],
      ],
      blocks: [
        is.use === null
          ? undefined
          : {
              kind: 'chart',
              title: 'Busy share of what it held',
              unit: 'ratio',
              points: is.use.at.map((at, order) => ({
                at: new Date(at * 1000).toISOString(),
                value: is.use?.busy[order] ?? null,
              })),
            },
      ],
      further: [`Which size does ${id} need?`, `What does ${id} cost?`],
    }),
  },
  {
    id: 'who-owns',
    about: 'whose a workload is',
    asks: [
      'Who owns {workload}?',
      'Which team does {workload} belong to?',
      'Whose is {workload}?',
      'Whose job is {workload}?',
    ],
    says: ({ is, cite }, id) => {
      const { namespace, kind, tenant, queue } = is.workload
      const owners = [...new Set(is.pods.flatMap(({ owner }) => (owner === null ? [] : [owner])))]
      return {
        said: [
          [
            `${now(is.asOf)}, ${quoted(id)} is a ${kind} of namespace ${quoted(namespace)}; ${tenant === null ? 'no tenant rule names its team' : `its tenant is ${quoted(tenant)}`}${queue === null ? '' : `, its queue ${quoted(queue)}`}.`,
            cite,
          ],
          ...(owners.length === 0 ? [] : [[`Its pods were made by ${listed(owners.map(quoted))}.`, cite] as const]),
        ],
        further: [`What does ${id} hold?`, `What does ${id} cost?`],
      }
    },
  },
  {
    id: 'recommend-for',
    about: 'what is recommended for one workload, and why not',
    asks: [
      'What do you recommend for {workload}?',
      'Why is there no recommendation for {workload}?',
      'Recommend something for {workload}',
    ],
    says: ({ is, cite }, id) => ({
      said: [
        is.recommendations.length === 0
          ? [`${now(is.asOf)}, no recommendation changes ${quoted(id)}.`, cite]
          : [
              `${now(is.asOf)}, ${plural(is.recommendations.length, 'recommendation')} for ${quoted(id)}: ${listed(is.recommendations.map(({ title }) => quoted(title)))}.`,
              cite,
            ],
        ...is.findings.slice(0, 2).map(({ message }) => [message, cite] as const),
      ],
      further: ['What do you recommend?', `How busy is ${id}?`],
    }),
  },
]

const peak = ({ held, evidence }: Size): string =>
  evidence === null || evidence.memoryPeak === null || held.memory === null
    ? ''
    : ` and used at most ${memory(evidence.memoryPeak)} of its ${memory(held.memory)} of memory`

const SIZES: Readonly<Record<Size['verdict'], (size: Size) => string>> = {
  'fits-smaller': ({ proposed }) => `its peaks fit ${proposed === null ? 'a smaller size' : limits(proposed)}`,
  keep: ({ because }) => `it needs that size${because === null ? '' : `: ${because.replace(/\.$/u, '')}`}`,
  unknown: ({ because }) => `what it needs is unknown${because === null ? '' : `: ${because.replace(/\.$/u, '')}`}`,
}

const one = ({ says, alsoTakes = [], ...row }: Row): Family => ({
  ...row,
  takes: ['range', ...alsoTakes],
  answer: async (slots, reading: Reading) => {
    const id = slots.workload ?? ''
    const range = slots.range ?? '24h'
    const at = path('/workloads', { range, workload: id })
    const detail = await reading.from('workloadsGet', { id, range }, at)
    const reply = says(detail, id, slots)
    // Why none helps is told in the list of recommendations, where it is one of those that idle most.
    if (row.id !== 'recommend-for' || detail.is.recommendations.length > 0)
      return { ...reply, pages: [['See the workload', at]] }
    const { is, cite } = await reading.from('recommendationsList', {}, '/actions')
    const why = is.unanswered.find(({ workload }) => workload === id)
    return {
      ...reply,
      said: [...reply.said, ...(why === undefined ? [] : [[why.because, cite] as const])],
      pages: [['See the workload', at]],
    }
  },
})

/** Questions about one workload. */
export const ONE_WORK: readonly Family[] = ROWS.map(one)
