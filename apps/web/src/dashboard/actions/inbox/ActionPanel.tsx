import { useRef } from 'react'

import { isNotFound } from '../../../api.ts'
import { SidePanel } from '../../panel/SidePanel.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { Gone } from '../../panel/Gone.tsx'
import { CLASS_WORDS, type ActionDetail, type Acting } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { ActionBars } from './ActionBars.tsx'
import { ActionFacts } from './ActionFacts.tsx'
import { ActionSteps } from './ActionSteps.tsx'
import { Decision } from './Decision.tsx'
import { DownloadDirectory } from './DownloadDirectory.tsx'
import { Happened } from './Happened.tsx'
import { LostNotice } from './LostNotice.tsx'
import { Standing } from './Standing.tsx'
import { WriteJournal } from './WriteJournal.tsx'

type Props = {
  readonly id: string
  readonly cluster: string | undefined
  readonly acting: Acting | undefined
  readonly may: May
  readonly onClose: () => void
}

/** The card of one action: where it stands, exactly what changes and for whom, the decision, and all that happened. */
export function ActionPanel({ id, cluster, acting, may, onClose }: Props) {
  const answer = useAnswer('actionsGet', { cluster, id })
  const detail = answer.data
  const standing = useRef<HTMLElement>(null)
  if (detail === undefined && isNotFound(answer.error)) {
    return (
      <SidePanel title="Action" onClose={onClose}>
        <Gone what="This action" back="Back to the list" onClose={onClose}>
          The link may belong to another cluster, or to one that was removed.
        </Gone>
      </SidePanel>
    )
  }
  const action = detail?.action
  return (
    <SidePanel
      title={action?.title ?? 'Action'}
      lead={action === undefined ? undefined : `${CLASS_WORDS[action.class]} · ${action.object}`}
      footer={
        detail && <Decision detail={detail} acting={acting} may={may} decided={() => standing.current?.focus()} />
      }
      onClose={onClose}
    >
      <LostNotice answer={answer} />
      <Answered answer={answer}>
        {(data) => (
          <>
            <Standing detail={data} acting={acting} ref={standing} />
            <Content detail={data} cluster={cluster} />
          </>
        )}
      </Answered>
    </SidePanel>
  )
}

const Content = ({ detail, cluster }: { readonly detail: ActionDetail; readonly cluster: string | undefined }) => (
  <>
    <ActionBars detail={detail} cluster={cluster} />
    <ActionFacts detail={detail} cluster={cluster} />
    <ActionSteps steps={detail.steps} />
    <DownloadDirectory detail={detail} />
    <Happened transitions={detail.transitions} />
    <WriteJournal {...detail} />
  </>
)
