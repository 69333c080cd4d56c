import { dollars, grouped } from '@septet/domain/words'
import { Link } from 'react-router'

import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import type { Answer } from '../../../api.ts'

export type Shadow = Answer<'shadowGet'>
export type ShadowResult = NonNullable<Shadow['result']>
type ShadowAction = ShadowResult['actions'][number]

type Props = {
  readonly caption: string
  readonly result: Pick<ShadowResult, 'class' | 'effect' | 'of'>
  readonly actions: readonly ShadowAction[]
  readonly cluster: string
}

const DONE = {
  'reclaim-idle': 'Stopped',
  'right-size': 'Changed',
  'fewer-gpus': 'Changed',
  'remove-node': 'Removed',
} as const satisfies Record<ShadowResult['class'], string>
const FREED = { 'bill-reduced': 'Off the bill', 'capacity-freed': 'Freed' } as const satisfies Record<
  ShadowResult['effect'],
  string
>
const OBJECTS = { workload: 'Workload', node: 'Node' } as const satisfies Record<ShadowResult['of'], string>

/** Each change that would have been made: when, to what, what was seen, and what came after. */
export const ShadowTable = ({ caption, result, actions, cluster }: Props) => (
  <Table
    caption={caption}
    columns={[DONE[result.class], OBJECTS[result.of], 'Observed', FREED[result.effect], 'What happened next']}
  >
    {actions.map((action) => (
      <Row key={`${action.object} ${action.doneAt}`}>
        <Cell className="whitespace-nowrap" name={DONE[result.class]}>
          <time dateTime={action.doneAt}>{dayTime(action.doneAt)}</time>
        </Cell>
        <Cell className="min-w-32 wrap-anywhere" name={OBJECTS[result.of]}>
          <Subject action={action} cluster={cluster} />
        </Cell>
        <Cell className="min-w-40 text-ink-soft" name="Seen">
          {firstSentence(action.message)}
        </Cell>
        <Cell className="whitespace-nowrap tabular-nums" name={FREED[result.effect]}>
          {freedText(action.freed)}
        </Cell>
        <Cell className="min-w-36" name="Then">
          {action.outcome.says}
        </Cell>
      </Row>
    ))}
  </Table>
)

/** Leads to the workload, over the time in which it was looked at and in which it is seen what came after, or to the node. */
function Subject({ action, cluster }: { readonly action: ShadowAction; readonly cluster: string }) {
  const { object, evidence, outcome } = action
  const name = object.slice(object.indexOf('/') + 1)
  if (!object.startsWith('workload/')) {
    const search = String(new URLSearchParams({ cluster, q: name }))
    return (
      <Link to={{ pathname: '/fleet', search }} className="text-accent-ink hover:underline">
        {name}
      </Link>
    )
  }
  const range = `${evidence.window.from}/${outcome.at > evidence.window.to ? outcome.at : evidence.window.to}`
  const search = String(new URLSearchParams({ cluster, workload: name, range }))
  return (
    <Link to={{ pathname: '/workloads', search }} className="text-accent-ink hover:underline">
      {nameOf(name)}
    </Link>
  )
}

/** `namespace/name`, without what kind it is. */
function nameOf(workload: string): string {
  const [namespace = '', , ...name] = workload.split('/')
  return `${namespace}/${name.join('/')}`
}

/** What was seen; what to do follows from where it stands. */
const firstSentence = (message: string): string => /^.*?[a-z)]\.(?= |$)/u.exec(message)?.[0] ?? message

const freedText = ({ gpuHours, usd }: ShadowAction['freed']): string =>
  `${grouped(gpuHours, 1)} GPU-h${usd === null ? '' : `, ${dollars(usd)}`}`
