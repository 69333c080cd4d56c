import { dollars, grouped } from '@septet/domain/words'
import { Link } from 'react-router'

import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import type { Answer } from '../../../api.ts'

export type Shadow = Answer<'shadowGet'>
export type ShadowResult = NonNullable<Shadow['result']>
type ShadowAction = ShadowResult['actions'][number]

type Props = { readonly caption: string; readonly actions: readonly ShadowAction[]; readonly cluster: string }

/** Each time that work would have been stopped: when, whose, what was seen, and what came after. */
export const ShadowTable = ({ caption, actions, cluster }: Props) => (
  <Table caption={caption} columns={['Stopped', 'Workload', 'What was seen', 'Freed', 'What came after']}>
    {actions.map((action) => (
      <Row key={`${action.workload} ${action.stoppedAt}`}>
        <Cell className="whitespace-nowrap" name="Stopped">
          <time dateTime={action.stoppedAt}>{dayTime(action.stoppedAt)}</time>
        </Cell>
        <Cell className="min-w-32 wrap-anywhere" name="Workload">
          <Link
            to={{ pathname: '/workloads', search: evidenceOf(action, cluster) }}
            className="text-accent-ink hover:underline"
          >
            {nameOf(action.workload)}
          </Link>
        </Cell>
        <Cell className="min-w-40 text-ink-soft" name="Seen">
          {firstSentence(action.message)}
        </Cell>
        <Cell className="whitespace-nowrap tabular-nums" name="Freed">
          {freedText(action.freed)}
        </Cell>
        <Cell className="min-w-36" name="Then">
          {action.outcome.says}
        </Cell>
      </Row>
    ))}
  </Table>
)

/** The workload, over the time in which it idled and in which it is seen what came after. */
function evidenceOf({ workload, evidence, outcome }: ShadowAction, cluster: string): string {
  const range = `${evidence.window.from}/${outcome.at > evidence.window.to ? outcome.at : evidence.window.to}`
  return String(new URLSearchParams({ cluster, workload, range }))
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
