import { useAnswer } from '../../client/use-answer.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { Part } from '../../panel/Part.tsx'
import { GpusBeforeAfter } from '../../../ui/GpusBeforeAfter.tsx'

type Props = { readonly detail: ActionDetail; readonly cluster: string | undefined }

/** Bars are drawn from the cluster as it is now, so they are shown while nothing of it was changed yet. */
const UNTOUCHED: ReadonlySet<string> = new Set(['proposed', 'approved', 'checked', 'rehearsed', 'warned'])

/** The GPUs that change, before and after. */
export const ActionBars = ({ detail, cluster }: Props) =>
  // An appointment cuts no GPU.
  UNTOUCHED.has(detail.action.state) && detail.action.class !== 'appointment' ? (
    <Bars detail={detail} cluster={cluster} />
  ) : undefined

function Bars({ detail, cluster }: Props) {
  const { data } = useAnswer('recommendationsGet', { cluster, id: detail.action.recommendation })
  // What is recommended now may be another plan than the one that was proposed: then its bars would mislead.
  const isSame = data !== undefined && titlesOf(data.recommendation.plan?.steps) === titlesOf(detail.steps)
  if (!isSame || data.gpus.length === 0) return undefined
  return (
    <Part title="What changes">
      <GpusBeforeAfter gpus={data.gpus} />
    </Part>
  )
}

const titlesOf = (steps: readonly { readonly title: string }[] | undefined): string =>
  (steps ?? []).map(({ title }) => title).join('\n')
