import { classRow } from '@septet/domain/action-classes'
import { plural, dollars, grouped } from '@septet/domain/words'
import type { ReactNode } from 'react'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { shortDigest, type ActionDetail } from '../../acting/action-words.ts'
import { Line, Part } from '../../panel/Part.tsx'
import { savingWords, type Recommendation } from '../../recommendation/recommendation-words.ts'
import { workWords } from '@septet/contract/saving-words'
import type { Answer } from '../../../api.ts'
import { useAnswer } from '../../client/use-answer.ts'

type Props = { readonly detail: ActionDetail; readonly cluster: string | undefined }

/** Who is affected, what it brings and brought, who decided, and by which digest the exact plan is known. */
export function ActionFacts({ detail: { action, undo }, cluster }: Props) {
  const { displaced, nodes, approvedBy, digest, cause } = action
  return (
    <Part title="Impact and savings">
      <dl className="divide-y divide-line text-13">
        <Line name="Pods that stop">
          <Names
            names={displaced}
            none={classRow(action.class).effect === 'bill-reduced' ? 'none with GPUs' : 'none'}
          />
        </Line>
        {undo.stopped.length > 0 && (
          <Line name="Pods stopped by the undo">
            <span className="block">{undo.stopped.length}</span>
            <Names names={undo.stopped} none="none" />
          </Line>
        )}
        <Line name="Nodes that change">
          <Names names={nodes} none="none" />
        </Line>
        {cause.kind === 'wish' ? (
          <>
            <Line name="Asked for">{cause.wants}</Line>
            <Line name="Cost">{cause.costs}</Line>
          </>
        ) : (
          <Saving saving={cause.saving} action={action.id} cluster={cluster} />
        )}
        <Line name={cause.kind === 'wish' ? 'Asked for by' : 'Proposed by'}>{action.proposedBy}</Line>
        {approvedBy !== null && <Line name="Approved by">{approvedBy}</Line>}
        <Line name="Plan digest">
          <span id="plan" className="flex flex-wrap items-center justify-end gap-1">
            <span className="font-mono" title={digest}>
              {shortDigest(digest)}…
            </span>
            <CopyButton text={() => digest} label="Copy digest" />
          </span>
        </Line>
      </dl>
    </Part>
  )
}

type SavingProps = {
  readonly saving: Recommendation['saving']
  readonly action: string
  readonly cluster: string | undefined
}

function Saving({ saving, ...of }: SavingProps) {
  const { amount, explanation } = savingWords(saving)
  return (
    <>
      <Line name={saving.kind === 'none' ? 'Effect' : 'Estimated saving'}>
        <span className="block font-mono">{amount}</span>
        <span className="block text-12 text-ink-soft">{explanation}</span>
      </Line>
      {saving.kind === 'estimated' && (
        <Line name="Measured saving">
          <span id="saving">
            <MeasuredSaving {...of} />
          </span>
        </Line>
      )}
    </>
  )
}

/** A few names; of many, how many there are and the names behind a press. */
function Names({ names, none }: { readonly names: readonly string[]; readonly none: string }): ReactNode {
  if (names.length === 0) return none
  if (names.length <= 3) return <NameList names={names} />
  return (
    <details>
      <summary className="rounded-control">{plural(names.length, 'name')}</summary>
      <NameList names={names} />
    </details>
  )
}

const NameList = ({ names }: { readonly names: readonly string[] }) => (
  <ul>
    {names.map((name) => (
      <li key={name}>
        <bdi>{name}</bdi>
      </li>
    ))}
  </ul>
)

/** What the ledger says that an action saved so far; nothing where it saves no GPU-hours or changed nothing yet. */
function MeasuredSaving({ action, cluster }: Omit<SavingProps, 'saving'>) {
  const saving = useAnswer('savingsList', { cluster }).data?.savings.find((each) => each.action === action)
  if (saving === undefined || saving.appliedAt === null) return 'Nothing to measure yet.'
  return (
    <>
      <span className="block font-mono">{amountOf(saving)}</span>
      <span className="block text-12 text-ink-soft">{saving.because}</span>
      <span className="block text-12 text-ink-quiet">{workWords(saving)}</span>
    </>
  )
}

function amountOf({ realized, effect }: Answer<'savingsList'>['savings'][number]): string {
  if (realized === null) return 'Unknown'
  const { gpuHours, usd } = realized
  const range =
    gpuHours.low === null || gpuHours.high === null ? '' : ` (${hours(gpuHours.low)} to ${hours(gpuHours.high)})`
  const money = usd === null ? '' : `, ${dollars(usd.value)}`
  return `${hours(gpuHours.value)} GPU-h${range}${money} ${effect === 'bill-reduced' ? 'off the bill' : 'freed'}`
}

const hours = (amount: number): string => grouped(amount, 1)
