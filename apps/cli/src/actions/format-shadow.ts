import type { OutputOf, shadowGet } from '@septet/contract'
import { agree, dollars, grouped, plural } from '@septet/domain/words'

import { textTable } from '../report/table.ts'

type Shadow = OutputOf<typeof shadowGet>
type Result = NonNullable<Shadow['result']>

/** What a replay comes to, a row for each change that would have been made, and what it cannot tell. */
export function formatShadow({ result, days, notReplayed, notes, source }: Shadow): string {
  if (result === null) return `${source.name} was not replayed.\n`
  return [
    result.says,
    ...storedLines(result, days),
    '',
    ...actionLines(result),
    ...heldLines(result),
    'What this does not tell',
    ...[...notReplayed.map(({ because }) => because), ...notes].map((note) => `  ${note}`),
    '',
    `Digest  ${result.digest}`,
    '',
  ].join('\n')
}

function storedLines({ recorded, of, objects: { replayed, leftOut } }: Result, days: number): string[] {
  return [
    ...(recorded === null
      ? []
      : [
          `Replayed ${recorded.from} to ${recorded.to}, of ${plural(days, 'day')} that were asked for: ${plural(replayed, of)} that left GPUs unused.`,
        ]),
    ...(leftOut === 0
      ? []
      : [`${plural(leftOut, of)} that left fewer unused ${agree(leftOut, 'was', 'were')} left out.`]),
  ]
}

/** What the change frees, by what it is: money off a bill and capacity for others are not the same. */
const FREED = { 'bill-reduced': 'Off the bill', 'capacity-freed': 'Freed' } as const
const DONE = {
  'reclaim-idle': 'Stopped',
  'right-size': 'Made smaller',
  'fewer-gpus': 'Given fewer',
  'remove-node': 'Removed',
} as const satisfies Record<Result['class'], string>

const actionLines = ({ actions, withdrawn, effect, of, class: kind }: Result): string[] => [
  ...(actions.length === 0
    ? []
    : [
        ...textTable(actions, [
          { title: DONE[kind], text: ({ doneAt }) => doneAt.slice(0, 16).replace('T', ' ') },
          { title: of === 'node' ? 'Node' : 'Workload', text: ({ object }) => object.slice(of.length + 1) },
          { title: 'GPUs', text: ({ gpus }) => grouped(gpus, 2) },
          { title: FREED[effect], text: ({ freed }) => `${grouped(freed.gpuHours, 1)} GPU-h` },
          { title: 'Worth', text: ({ freed }) => (freed.usd === null ? 'no price' : dollars(freed.usd)) },
          { title: 'Then', text: ({ outcome }) => outcome.says },
        ]),
        '',
      ]),
  ...(withdrawn === 0
    ? []
    : [`${plural(withdrawn, 'owner')} would have been warned of work that was used again before it was stopped.`, '']),
]

const heldLines = ({ heldBack, of }: Result): string[] =>
  heldBack.length === 0
    ? []
    : [
        'Left alone, for a while or for good',
        ...heldBack.map(({ code, objects, because }) => `  ${plural(objects, of)} by ${code}: ${because}`),
        '',
      ]
