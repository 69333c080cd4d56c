import { gpusText } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { dayTime } from '../../../ui/time-words.ts'
import { Part } from '../../panel/Part.tsx'
import type { MadePlan } from '../../client/use-computed.ts'

type Node = NonNullable<MadePlan['appointment']>['nodes'][number]

/** Each node with what happens to it and when: closed, who is gone by itself, who is evicted, opened. */
type Props = { readonly nodes: readonly Node[]; readonly profile: string | undefined }

export const AppointmentNodes = ({ nodes, profile }: Props) => (
  <Part title="What happens, node by node">
    <ol className="grid divide-y divide-line">
      {nodes.map((node) => (
        <NodeItem key={node.node} node={node} profile={profile} />
      ))}
    </ol>
  </Part>
)

type ItemProps = { readonly node: Node; readonly profile: string | undefined }

const NodeItem = ({ node, profile }: ItemProps) => (
  <li className="grid gap-x-6 gap-y-1 py-2.5 text-13 sm:grid-cols-[14rem_minmax(0,1fr)]">
    <p className="wrap-anywhere">
      <bdi className="font-mono">{node.node}</bdi>
      <span className="block text-12 text-ink-soft">
        {gpusText(node.gpus, profile)} kept, {node.idleNow} free now
      </span>
    </p>
    <ul className="grid gap-0.5">
      <When at={node.closesAt}>closes: only work that is surely gone in time may start</When>
      {node.ending.map(({ pod, by }) => (
        <When key={pod} at={by}>
          <bdi>{pod}</bdi> has ended by then, by its own limit
        </When>
      ))}
      {node.evictsAt !== null && node.evicted.length > 0 && (
        <When at={node.evictsAt}>
          evicted: <bdi>{node.evicted.join(', ')}</bdi>
        </When>
      )}
      <When at={node.opensAt}>opens again</When>
    </ul>
  </li>
)

const When = ({ at, children }: { readonly at: string; readonly children: ReactNode }) => (
  <li className="grid grid-cols-[8.5rem_minmax(0,1fr)] wrap-anywhere">
    <time dateTime={at} className="figure text-12 leading-5 text-ink-soft">
      {dayTime(at)}
    </time>
    <span>{children}</span>
  </li>
)
