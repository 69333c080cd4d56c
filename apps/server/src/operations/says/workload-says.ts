import type { FiguresOf, InputOf, queueWaits, Says, workloadsGet, workloadsList } from '@septet/contract'
import { say } from '@septet/contract/says'
import { agree, duration, plural, short } from '@septet/domain/words'

import { figure, over, quoted } from './phrases.ts'

type List = FiguresOf<typeof workloadsList>
type Row = List['workloads'][number]
type Asked = InputOf<typeof workloadsList>

/** Which workload is first in the order that was asked for, where that is known; and how many run, wait and idle. */
export function workloadsSay(list: List, input: Asked): Says {
  const { counts, workloads, total } = list
  const [top] = workloads
  // A later page begins with none that is first.
  const first =
    input.offset > 0 ? [] : top === undefined ? [say(noneWords(input), 'total')] : firstSays(top, list, input)
  const some = plural(total, 'workload')
  return [
    ...first,
    ...(isNarrowed(input) ? [say(`${some} ${agree(total, 'matches', 'match')}.`, 'total')] : []),
    say(
      `${plural(counts.running, 'workload')} ${agree(counts.running, 'runs', 'run')} and ${counts.queued} ${agree(counts.queued, 'waits', 'wait')}${idleWords(counts)}.`,
      'counts',
    ),
  ]
}

/** Where telemetry is missing nobody is known to idle: none is not said. */
const idleWords = ({ idle }: List['counts']): string =>
  idle === 0 ? '' : `; ${idle} ${agree(idle, 'holds', 'hold')} something idle now`

const isNarrowed = ({ namespace, tenant, class: kind, search, waitsFor }: Asked): boolean =>
  [namespace, tenant, kind, search, waitsFor].some((one) => one !== undefined && one !== '')

const NONE = {
  running: 'nothing runs.',
  queued: 'nothing waits.',
  ended: 'nothing that held a GPU has ended.',
  all: 'nothing runs or waits.',
} as const satisfies Record<Asked['status'], string>

function noneWords(input: Asked): string {
  if (isNarrowed(input)) return 'No workload matches.'
  return input.idle === 'true' ? 'no such workload is known to hold an idle GPU.' : NONE[input.status]
}

type Order = `${Asked['sort']} ${Asked['order']}`

/** What is said of the first row, by what the rows are in order of; nothing of an order that decides nothing. */
function firstSays(top: Row, list: List, input: Asked): Says {
  const order: Order = `${input.sort} ${input.order}`
  const among = isNarrowed(input) ? 'of those that match, ' : ''
  const when = `${over(input.range)}, ${among}`
  if (input.idle === 'true') return [idleSaid(top, list, order)]
  if (order === 'idleCost down') return [wasteSaid(top, when)]
  if (order === 'busy up') return [leastBusySaid(top, when)]
  if (order !== 'duration down' || input.status !== 'queued') return []
  const waited = top.duration === null ? 'unknown' : duration(top.duration)
  return [say(`${among}${quoted(top.id)} has been waiting longest: ${waited}.`, 'workloads[0].duration')]
}

/** "0.5 GPUs", "1 GPU". */
const gpusWords = (count: number): string => `${short(count)} ${agree(count, 'GPU')}`

function idleSaid({ id, holds, idleCost }: Row, { workloads, total }: List, order: Order): Says[number] {
  if (holds === null || holds.idle <= 0)
    return say(
      `what is held and idle now: unknown. ${idleCost.because ?? 'It was not measured.'}`,
      'workloads[0].holds',
      'workloads[0].idleCost',
    )
  const idle = workloads.reduce((sum, { holds: held }) => sum + (held?.idle ?? 0), 0)
  const least = workloads.length < total ? 'at least ' : ''
  const costliest =
    order === 'idleCost down'
      ? ` ${quoted(id)} has the costliest idle time: it holds ${gpusWords(holds.idle)} idle.`
      : ''
  return say(
    `${plural(total, 'workload')} ${agree(total, 'holds', 'hold')} ${least}${gpusWords(idle)} idle.${costliest}`,
    'total',
    'workloads[0].holds',
  )
}

function wasteSaid({ id, idleCost }: Row, when: string): Says[number] {
  const place = 'workloads[0].idleCost'
  if (idleCost.value === null)
    return say(`${when}who idles most: unknown. ${idleCost.because ?? 'It was not measured.'}`, place)
  if (idleCost.value === 0) return say(`${when}no workload held an idle GPU.`, place)
  return say(`${when}${quoted(id)} wasted the most while holding idle GPUs: ${figure(idleCost)}.`, place)
}

const leastBusySaid = ({ id, busy }: Row, when: string): Says[number] =>
  say(
    busy.value === null
      ? `${when}least busy workloads: unknown. ${busy.because ?? 'It was not measured.'}`
      : `${when}${quoted(id)} was least busy: ${figure(busy)}.`,
    'workloads[0].busy',
  )

/** How busy one workload was and what it cost; why it waits and what would start it. */
export function workloadSays(detail: FiguresOf<typeof workloadsGet>, { range }: InputOf<typeof workloadsGet>): Says {
  const { workload, wait, hours, sizeUnknown } = detail
  return [
    ...(wait === null ? [] : waitSays(wait)),
    ...(workload.status === 'queued'
      ? []
      : [
          say(
            `${over(range)}, ${quoted(workload.id)} held ${figure(hours)}, was busy: ${figure(workload.busy)}, and cost ${figure(workload.cost)}; of that, idle: ${figure(workload.idleCost)}.`,
            'hours',
            'workload.busy',
            'workload.cost',
            'workload.idleCost',
          ),
        ]),
    ...(sizeUnknown === null ? [] : [say(sizeUnknown, 'size')]),
  ]
}

type Wait = NonNullable<FiguresOf<typeof workloadsGet>['wait']>

const waitSays = ({ because, unknown, ways, withheld }: Wait): Says => [
  ...because.map((text, order) => say(text, `wait.because[${order}]`)),
  ...unknown.map((text, order) => say(text, `wait.unknown[${order}]`)),
  ...(withheld === null ? [] : [say(withheld, 'wait.withheld')]),
  ...ways.map(({ sentence }, order) => say(sentence, `wait.ways[${order}]`)),
]

/** How long work waited and mostly for what, what shortens the queue now, and what is not shown. */
export function waitsSay(waits: FiguresOf<typeof queueWaits>, { range, workload }: InputOf<typeof queueWaits>): Says {
  const { causes, total, seconds, withheld } = waits
  const [first] = causes
  const who = workload === undefined ? plural(total, 'workload') : quoted(workload)
  const now = causes.findIndex(({ waiting, change }) => waiting > 0 && change !== null)
  return [
    first === undefined
      ? say(`${over(range)}, ${workload === undefined ? 'no GPU work had to wait' : `${who} did not wait`}.`, 'causes')
      : say(
          `${over(range)}, ${who} waited ${duration(seconds)} in total. The main cause: ${first.name} (${first.meaning}).`,
          'seconds',
          'causes[0]',
        ),
    ...(causes.some(({ waiting }) => waiting > 0)
      ? [
          say(
            causes[now]?.change?.sentence ?? 'No single change is known that shortens the queue.',
            now === -1 ? 'causes' : `causes[${now}].change`,
          ),
        ]
      : []),
    ...(withheld === null ? [] : [say(withheld, 'withheld')]),
  ]
}
