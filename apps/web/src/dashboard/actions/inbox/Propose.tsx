import type { ReactNode } from 'react'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { stateWords } from '@septet/contract/state-words'
import { isOf } from '../../acting/action-words.ts'
import { useMay, type May } from '../../acting/use-may.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useActionsAnew, useOpenActions } from '../../acting/use-open-actions.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import type { Recommendation } from '../../recommendation/recommendation-words.ts'
import { useCard } from './use-card.ts'

type Props = { readonly recommendation: Recommendation; readonly cluster: string | undefined }

/** Puts a recommendation's plan up for approval, or says why it comes as files alone. */
export function Propose({ recommendation, cluster }: Props) {
  const may = useMay()
  return may.see === true ? <Proposing recommendation={recommendation} cluster={cluster} may={may} /> : undefined
}

function Proposing({ recommendation, cluster, may }: Props & { readonly may: May }) {
  const list = useOpenActions(cluster).data
  const [, openCard] = useCard()
  if (list === undefined) return undefined
  const proposed = list.actions.find(isOf(recommendation.id))
  if (proposed !== undefined) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-13">
        <span>{stateWords(proposed)}</span>
        <Button look="strong" className="h-10 px-4" onClick={() => openCard({ kind: 'action', id: proposed.id })}>
          Open the action
        </Button>
      </div>
    )
  }
  if (list.acting.state !== 'ready') return <WhyNot because={list.acting.because} />
  return <Ready recommendation={recommendation} cluster={cluster} may={may} />
}

const WhyNot = ({ because }: { readonly because: string }) => <p className="text-12 text-ink-soft">{because}</p>

/** Offers it, unless it would fail once it is approved. */
function Ready({ recommendation: { id, plan }, cluster, may }: Props & { readonly may: May }) {
  const { data, error } = useAnswer('recommendationsGet', { cluster, id })
  const because = plan?.byHand ?? may.whyNot ?? data?.outlook.refused
  if (typeof because === 'string') return <WhyNot because={because} />
  if (!may.decide || (data === undefined && error === null)) return undefined
  return <Offered cluster={cluster} id={id} waits={data?.outlook.waits} />
}

type OfferedProps = Pick<Props, 'cluster'> & { readonly id: string; readonly waits: string | null | undefined }

function Offered({ cluster, id: recommendation, waits }: OfferedProps) {
  const [, openCard] = useCard()
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const propose = (): Promise<void> =>
    run(async () => {
      const { id } = await tell('actionsPropose', { cluster, recommendation })
      await anew()
      openCard({ kind: 'action', id })
      return undefined
    })
  return (
    <ProposeButton busy={busy} problem={problem} verb="Propose" propose={propose}>
      Submits exactly this plan for approval. Nothing changes yet. {waits && `Once approved, it waits. ${waits}`}
    </ProposeButton>
  )
}

type ButtonProps = {
  readonly busy: boolean
  readonly problem: string | undefined
  readonly verb: string
  readonly propose: () => unknown
  /** What comes of it. */
  readonly children: ReactNode
}

/** Puts a plan up for approval, with what stood in its way. */
export const ProposeButton = ({ busy, problem, verb, propose, children }: ButtonProps) => (
  <div className="grid gap-2.5">
    <ProblemBox words={problem} />
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button look="strong" className="h-10 px-4" aria-disabled={busy} onClick={() => void propose()}>
        {busy ? 'Proposing…' : verb}
      </Button>
      <p className="min-w-0 flex-1 basis-44 text-12 text-ink-soft">{children}</p>
    </div>
  </div>
)
