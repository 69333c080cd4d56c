import { duration } from '@septet/domain/words'

import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { Part } from '../panel/Part.tsx'
import { WaitCauses } from '../words/WaitCauses.tsx'

type Props = { readonly id: string; readonly cluster: string | undefined; readonly range: string }

/** For what one workload waited over the range, with the change that ends each wait; nothing where it did not wait. */
export function WorkloadWaits({ id, cluster, range }: Props) {
  const answer = useAnswer('queueWaits', { cluster, range, workload: id, limit: 1 })
  const { data, error } = answer
  if (error === null && (data?.causes ?? []).length === 0) return undefined
  return (
    <Part
      title="What it waited for"
      aside={data && <span className="font-mono text-12 text-ink-soft">{duration(data.seconds)}</span>}
    >
      <Answered answer={answer}>{({ causes }) => <WaitCauses causes={causes} />}</Answered>
    </Part>
  )
}
