import type { OutputOf, shadowGet } from '@septet/contract'
import { dollars, grouped, plural } from '@septet/domain/words'

import { table } from '../report/table.ts'

type Shadow = OutputOf<typeof shadowGet>
type Result = NonNullable<Shadow['result']>

/** What a replay comes to, a row for each time that something would have been stopped, and what it cannot tell. */
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

function storedLines({ recorded, workloads }: Result, days: number): string[] {
  const { replayed, leftOut } = workloads
  return [
    ...(recorded === null
      ? []
      : [
          `Replayed ${recorded.from} to ${recorded.to}, of ${plural(days, 'day')} that were asked for: ${plural(replayed, 'workload')} that idled.`,
        ]),
    ...(leftOut === 0
      ? []
      : [`${plural(leftOut, 'workload')} that idled less ${leftOut === 1 ? 'was' : 'were'} left out.`]),
  ]
}

const actionLines = ({ actions, withdrawn }: Result): string[] => [
  ...(actions.length === 0
    ? []
    : [
        ...table(actions, [
          { title: 'Stopped', text: ({ stoppedAt }) => stoppedAt.slice(0, 16).replace('T', ' ') },
          { title: 'Workload', text: ({ workload }) => workload },
          { title: 'GPUs', text: ({ gpus }) => grouped(gpus, 2) },
          { title: 'Freed', text: ({ freed }) => `${grouped(freed.gpuHours, 1)} GPU-h` },
          { title: 'Worth', text: ({ freed }) => (freed.usd === null ? 'no price' : dollars(freed.usd)) },
          { title: 'Then', text: ({ outcome }) => outcome.says },
        ]),
        '',
      ]),
  ...(withdrawn === 0
    ? []
    : [`${plural(withdrawn, 'owner')} would have been warned of work that was used again before it was stopped.`, '']),
]

const heldLines = ({ heldBack }: Result): string[] =>
  heldBack.length === 0
    ? []
    : [
        'Left alone, for a while or for good',
        ...heldBack.map(({ code, workloads, because }) => `  ${plural(workloads, 'workload')} by ${code}: ${because}`),
        '',
      ]
