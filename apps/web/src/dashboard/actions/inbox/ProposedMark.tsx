import { Badge } from '../../../ui/Badge.tsx'
import { useMay } from '../../acting/use-may.ts'
import { useOpenActions } from '../../acting/use-open-actions.ts'
import { useUrlState } from '../../address/url-state.ts'

type Props = { readonly recommendation: string }

/** Says of a recommendation that it is on its way already. */
export const ProposedMark = (props: Props) => (useMay().see === true ? <Mark {...props} /> : undefined)

function Mark({ recommendation }: Props) {
  const { cluster } = useUrlState()
  const action = useOpenActions(cluster).data?.actions.find((each) => each.recommendation === recommendation)
  if (action === undefined) return undefined
  return <Badge tone="warning">{action.state === 'proposed' ? 'proposed' : 'running'}</Badge>
}
