import { CLASSES } from '@septet/domain/action-classes'
import { useRef } from 'react'

import { ask, isNotFound } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { GpusBeforeAfter } from '../../../ui/GpusBeforeAfter.tsx'
import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import type { Acting, ActionDetail, ActionState } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { Gone } from '../../panel/Gone.tsx'
import { LostNotice } from '../../panel/LostNotice.tsx'
import { Part } from '../../panel/Part.tsx'
import { SidePanel } from '../../panel/SidePanel.tsx'
import { saveFile } from '../../panel/save-file.ts'
import { tarArchive } from '@septet/contract/tar-archive'
import { ActionFacts } from './ActionFacts.tsx'
import { ActionSteps } from './ActionSteps.tsx'
import { Decision } from './Decision.tsx'
import { EvidenceLinks } from './EvidenceLinks.tsx'
import { ActionStanding } from './Standing.tsx'
import { WriteJournal } from './WriteJournal.tsx'

type ActionBarsProps = { readonly detail: ActionDetail; readonly cluster: string | undefined }

/** The GPUs that change, before and after: drawn from the cluster as it is now, so while nothing of it was changed yet. */
const ActionBars = ({ detail, cluster }: ActionBarsProps) =>
  detail.action.may.reject && detail.action.cause.kind === 'advice' ? (
    <Bars detail={detail} cluster={cluster} id={detail.action.cause.recommendation} />
  ) : undefined

function Bars({ detail, cluster, id }: ActionBarsProps & { readonly id: string }) {
  const { data } = useAnswer('recommendationsGet', { cluster, id })
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
      lead={action === undefined ? undefined : `${CLASSES[action.class].title} · ${action.object}`}
      footer={
        detail && <Decision detail={detail} acting={acting} may={may} decided={() => standing.current?.focus()} />
      }
      onClose={onClose}
    >
      <LostNotice answer={answer}>Actions in progress continue without this page.</LostNotice>
      <Answered answer={answer}>
        {(data) => (
          <>
            <ActionStanding detail={data} acting={acting} ref={standing} />
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

/** The exact change as a directory, for anyone who applies it by hand or keeps the object in git. */
function DownloadDirectory({ detail }: { readonly detail: ActionDetail }) {
  const { action, source } = detail
  const { busy, problem, run } = useSending()
  const download = (): Promise<void> =>
    run(async () => {
      const { files } = await ask('actionsFiles', { cluster: source.id, id: action.id })
      saveFile(new Blob([tarArchive(files, new Date())]), `septet-${action.id}.tar`)
      return undefined
    })
  const isHandedOver = action.state === 'handed-over'
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button look={isHandedOver ? 'strong' : 'outline'} aria-disabled={busy} onClick={() => void download()}>
          {busy ? 'Writing…' : 'Download files'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-12 text-ink-soft">
          {isHandedOver
            ? 'branch/ has the change for git, with instructions. Septet detects when it is applied.'
            : 'The exact change and its rollback as files.'}
        </p>
      </div>
      <ProblemBox words={problem} />
    </div>
  )
}

type HappenedProps = { readonly transitions: ActionDetail['transitions'] }

/** Everything that happened to it, the newest first, a sentence each. */
function Happened({ transitions }: HappenedProps) {
  const now = useNow()
  return (
    <Part title="History">
      <ol reversed className="grid">
        {transitions.toReversed().map(({ number, at, by, because, evidence }) => (
          <li key={number} className="group relative grid gap-0.5 pb-3 pl-5 text-13 last:pb-0">
            <span
              aria-hidden
              className="absolute top-[7px] left-0 size-1.5 rounded-full bg-ink-quiet group-first:bg-accent"
            />
            <span aria-hidden className="absolute top-4 bottom-0 left-[2.5px] w-px bg-line-strong group-last:hidden" />
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{happenedWords(transitions, number)}</span>
              <time dateTime={at} className="text-12 text-ink-quiet">
                {dayTime(at)}, {ago(at, now)}
              </time>
            </p>
            <p className="text-12 text-ink-soft wrap-anywhere">
              {because} <span className="text-ink-quiet">By {by}.</span>
              <EvidenceLinks evidence={evidence} />
            </p>
          </li>
        ))}
      </ol>
    </Part>
  )
}

type Transitions = ActionDetail['transitions']

/** What has happened by a transition, in a few words. A step that is done, or reverted, names the one that is next. */
export function happenedWords(transitions: Transitions, number: number): string {
  const [before, transition] = [number - 1, number].map((each) => transitions.find((one) => one.number === each))
  if (transition === undefined) return ''
  const { state, step } = transition
  if (step === null || before?.state !== state) return WORDS[state]
  return state === 'reverting' ? `Step ${step + 1} reverted` : `Step ${step - 1} done`
}

const WORDS = {
  proposed: 'Proposed',
  approved: 'Approved',
  checked: 'Checked again',
  rehearsed: 'Dry run passed',
  'handed-over': 'Handed over',
  warned: 'Owner notified',
  applying: 'Started',
  applied: 'Applied',
  verified: 'Verified',
  kept: 'Kept',
  reverting: 'Reverting',
  reverted: 'Reverted',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
  failed: 'Failed',
} satisfies Record<ActionState, string>
