import type { OutputOf, startsCheck } from '@septet/contract'
import { duration } from '@septet/domain/words'

type Start = OutputOf<typeof startsCheck>['jobs'][number]

/** What is shown of one job, whoever judged it. */
export type ShownStart = Pick<Start, 'verdict' | 'sentence' | 'wait' | 'noWait'> & {
  readonly because: readonly string[]
  readonly unknown: readonly string[]
  readonly places: readonly Pick<Start['places'][number], 'part' | 'node' | 'pods'>[]
  readonly ways: readonly Pick<Start['ways'][number], 'sentence'>[]
  readonly changes: readonly {
    readonly sentence: string
    readonly document: number
    readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[]
  }[]
}

/** The answers as text, one paragraph a job. */
export const formatStarts = (jobs: readonly ShownStart[]): string => `${jobs.map(formatStart).join('\n\n')}\n`

function formatStart({ sentence, because, unknown, places, ways, changes, ...more }: ShownStart): string {
  return [
    sentence,
    ...section(
      'Where it would run:',
      places.map(({ node, pods, part }) => `${node}: ${pods}${part === '' ? '' : ` × ${part}`}`),
    ),
    ...section('Why not:', because),
    ...section('Unknown because:', unknown),
    ...section(
      'What would make room:',
      ways.map((way) => way.sentence),
    ),
    ...section('The smallest changes of the job, each enough alone:', changes.flatMap(changeLines)),
    ...waitLines(more),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

const changeLines = ({ sentence, document, patch }: ShownStart['changes'][number]): readonly string[] => [
  sentence,
  `  # JSON patch of document ${document + 1}`,
  ...patch.map(({ op, path, value }) => {
    const given = value === undefined ? '' : `, value: ${JSON.stringify(value)}`
    return `  - {op: ${op}, path: ${JSON.stringify(path)}${given}}`
  }),
]

function waitLines({ wait, noWait }: Pick<ShownStart, 'wait' | 'noWait'>): readonly string[] {
  if (wait === null) return noWait === null ? [] : ['When it starts as it is:', `  ${noWait}`]
  const { low, middle, high, waits, like } = wait
  return [
    'When it starts as it is:',
    `  in ${duration(low)} to ${duration(high)}, in half of all cases before ${duration(middle)} (80% of waits; from ${waits} waits for ${like})`,
  ]
}
