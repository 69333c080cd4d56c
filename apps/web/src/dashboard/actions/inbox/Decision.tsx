import { CLASSES } from '@septet/domain/action-classes'
import { agree, firstFew, listed, plural } from '@septet/domain/words'
import { useEffect, useId, useRef, useState } from 'react'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { type Acting, type ActionDetail, shortDigest } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'
import { useActionsAnew } from '../../acting/use-open-actions.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { ReasonedForm } from '../../form/ReasonedForm.tsx'

type Props = {
  readonly detail: ActionDetail
  readonly acting: Acting | undefined
  readonly may: May
  /** Something was decided: the button that did it is gone. */
  readonly decided: () => void
}

type Asked =
  | { readonly kind: 'approve'; readonly digest: string }
  | { readonly kind: 'reject' }
  | { readonly kind: 'undo' }

/** What can be decided about it now, or why whoever looks cannot. */
export function Decision({ detail, acting, may, decided }: Props) {
  const offers = offersOf(detail, acting)
  if (offers.length === 0) return undefined
  if (may.decide) return <Deciding detail={detail} acting={acting} offers={offers} decided={decided} />
  return may.whyNot === undefined ? undefined : <Quiet>{may.whyNot}</Quiet>
}

type DecidingProps = Omit<Props, 'may'> & { readonly offers: readonly Offer[] }

/** A first press asks; the second is in what then stands in its place. */
function Deciding({ detail, acting, offers, decided }: DecidingProps) {
  const { action, source } = detail
  const [asked, setAsked] = useState<Asked>()
  const [closed, setClosed] = useState<Asked['kind']>()
  const decide = useDecide({ cluster: source.id, id: action.id })
  const close = (isDone: boolean): void => {
    setClosed(isDone ? undefined : asked?.kind)
    setAsked(undefined)
    if (isDone) decided()
  }
  // What was asked about may have become something else meanwhile.
  const standing = offers.some(({ kind }) => kind === asked?.kind) ? asked : undefined
  if (standing?.kind === 'reject' || standing?.kind === 'undo') {
    return <ReasonForm what={standing.kind} detail={detail} decide={decide} close={close} />
  }
  if (standing !== undefined && standing.digest === action.digest) {
    return <ApproveConfirm detail={detail} acting={acting} decide={decide} close={close} />
  }
  return (
    <Offers
      offers={offers}
      problem={standing === undefined ? decide.problem : ANOTHER_PLAN}
      focused={closed}
      ask={(kind) => setAsked(kind === 'approve' ? { kind, digest: action.digest } : { kind })}
    />
  )
}

type OffersProps = {
  readonly offers: readonly Offer[]
  readonly problem: string | undefined
  /** What was asked before and given up: the focus goes back to it. */
  readonly focused: Asked['kind'] | undefined
  readonly ask: (kind: Asked['kind']) => void
}

function Offers({ offers, problem, focused, ask }: OffersProps) {
  const id = useId()
  return (
    <div className="grid gap-2.5">
      <ProblemBox words={problem} />
      <div className="flex flex-wrap gap-2">
        {offers.map(({ kind, label, look, disabledBecause }) => (
          <Button
            key={kind}
            look={disabledBecause === undefined ? look : 'outline'}
            className="h-10 px-4"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- focus goes back to what had opened the form
            autoFocus={focused === kind}
            aria-disabled={disabledBecause !== undefined}
            aria-describedby={disabledBecause === undefined ? undefined : `${id}-${kind}`}
            onClick={() => {
              if (disabledBecause === undefined) ask(kind)
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      {offers.map(
        ({ kind, disabledBecause }) =>
          disabledBecause !== undefined && (
            <Quiet key={kind} id={`${id}-${kind}`}>
              {disabledBecause}
            </Quiet>
          ),
      )}
    </div>
  )
}

const ANOTHER_PLAN = 'The plan changed while you were deciding. Review the steps and approve the current plan.'

const Quiet = ({ id, children }: { readonly id?: string; readonly children: string }) => (
  <p id={id} className="text-12 text-ink-soft">
    {children}
  </p>
)

type Offer = {
  readonly kind: Asked['kind']
  readonly label: string
  readonly look: 'strong' | 'outline'
  readonly disabledBecause?: string | undefined
}

function offersOf({ action: { may, state }, outlook }: ActionDetail, acting: Acting | undefined): readonly Offer[] {
  const cannotAct = acting !== undefined && CANNOT.has(acting.state) ? acting.because : undefined
  const approve: Offer = {
    kind: 'approve',
    label: 'Approve…',
    look: 'strong',
    disabledBecause: cannotAct ?? outlook.refused ?? undefined,
  }
  const reject: Offer = { kind: 'reject', label: state === 'proposed' ? 'Reject…' : 'Cancel…', look: 'outline' }
  const undo: Offer = { kind: 'undo', label: 'Undo…', look: 'outline', disabledBecause: cannotAct }
  return [...(may.approve ? [approve] : []), ...(may.reject ? [reject] : []), ...(may.undo ? [undo] : [])]
}

const CANNOT: ReadonlySet<Acting['state']> = new Set(['observe', 'others'])

type ReasonFormProps = {
  readonly what: 'reject' | 'undo'
  readonly detail: ActionDetail
  readonly decide: Decide
  /** Goes back to what can be decided. */
  readonly close: (isDone: boolean) => void
}

/** Says no, or back, with the reason that everybody will read. */
function ReasonForm({ what, detail, decide, close }: ReasonFormProps) {
  const { button, note, stops } = wordsOf(what, detail)
  const send = what === 'undo' ? decide.undo : decide.reject
  return (
    <div className="enters grid gap-2.5">
      {stops !== undefined && <p className="max-h-40 overflow-y-auto text-13 wrap-anywhere">{stops}</p>}
      <ReasonedForm
        name={button}
        label="Why"
        note={note}
        takesFocus
        className="grid gap-2.5"
        send={(reason) => send(reason, close)}
      >
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={decide.busy}>{button}</SubmitButton>
          <Button className="h-10 px-4" onClick={() => close(false)}>
            Not now
          </Button>
        </div>
      </ReasonedForm>
    </div>
  )
}

function wordsOf(
  what: ReasonFormProps['what'],
  detail: ActionDetail,
): { readonly button: string; readonly note: string; readonly stops?: string } {
  const { action, steps } = detail
  if (what === 'reject') {
    return action.state === 'proposed'
      ? { button: 'Reject', note: 'Shown with the action. Nothing has changed, and nothing will.' }
      : { button: 'Cancel action', note: 'Nothing has changed yet, and nothing will.' }
  }
  const done = steps.filter(({ state }) => state === 'done' || state === 'doing').length
  return {
    ...undoWords(detail),
    note: `Reverts ${plural(done, 'step')}, last one first, within disruption budgets. Each step lists its rollback.`,
  }
}

type ApproveConfirmProps = {
  readonly detail: ActionDetail
  readonly acting: Acting | undefined
  readonly decide: Decide
  /** Goes back to what can be decided. */
  readonly close: (isDone: boolean) => void
}

/** Repeats what is about to stop; the focus is on the words, so that a held key does not approve. */
function ApproveConfirm({ detail, acting, decide, close }: ApproveConfirmProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  const { displaced, nodes, digest } = detail.action
  return (
    <section aria-labelledby={id} className="enters grid gap-2.5 text-13">
      <h3 id={id} ref={heading} tabIndex={-1} className="rounded-control font-semibold">
        Approve exactly this plan?
      </h3>
      <ul className="grid max-h-40 list-disc gap-1 overflow-y-auto pl-5 wrap-anywhere marker:text-ink-quiet">
        <li>
          {displaced.length === 0
            ? 'No pods stop.'
            : `${plural(displaced.length, 'pod stops', 'pods stop')}: ${listed(displaced)}.`}
        </li>
        <li>
          {nodes.length === 0
            ? 'No nodes change.'
            : `${plural(nodes.length, 'node changes', 'nodes change')}: ${listed(nodes)}.`}
        </li>
        <li>
          {plural(detail.steps.length, 'step')}, digest <span className="font-mono">{shortDigest(digest)}</span>. Failed
          steps are reverted.
        </li>
        {acting?.state === 'stopped' && <li>Acting is stopped: the action waits until an admin resumes.</li>}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          look="strong"
          className="h-10 px-4"
          aria-disabled={decide.busy}
          onClick={() => decide.approve(digest, close)}
        >
          {decide.busy ? 'Approving…' : pressWords(displaced.length)}
        </Button>
        <Button className="h-10 px-4" onClick={() => close(false)}>
          Not now
        </Button>
      </div>
    </section>
  )
}

const pressWords = (pods: number): string =>
  pods === 0 ? 'Approve, no pods stop' : `Approve, ${plural(pods, 'pod stops', 'pods stop')}`

/** What an undo would stop now: on its button, and in a sentence above it. */
export function undoWords({ action, undo: { stops, unknown } }: Pick<ActionDetail, 'undo' | 'action'>): {
  readonly button: string
  readonly stops: string
} {
  if (stops === null) {
    return { button: 'Undo', stops: `Septet does not know which pods this stops. ${unknown ?? ''}`.trim() }
  }
  if (stops.length === 0) return { button: 'Undo, no pods stop', stops: 'No pods use what this reverts.' }
  const pods = agree(stops.length, 'This pod', 'These pods')
  return {
    button: `Undo, stops ${plural(stops.length, 'pod')}`,
    stops: `${pods} ${CLASSES[action.class].undone}: ${firstFew(stops, 12)}.`,
  }
}

type Of = { readonly cluster: string; readonly id: string }

/** Called when it is over, with whether it was done; what holds now is loaded by then. */
type Then = (isDone: boolean) => void

type Decide = {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Allows the plan of that digest and no other. */
  readonly approve: (digest: string, then: Then) => void
  readonly reject: (reason: string, then: Then) => void
  readonly undo: (reason: string, then: Then) => void
}

/** Sends a decision, and asks again for the action whatever came of it: a refusal means that it has changed. */
function useDecide(of: Of): Decide {
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  // No message in a corner: the card says what came of it, and it would cover the buttons.
  const send = (order: () => Promise<unknown>, then: Then): void =>
    void run(async () => {
      let isDone = false
      try {
        await order()
        isDone = true
        return undefined
      } finally {
        await anew()
        then(isDone)
      }
    })
  return {
    busy,
    problem,
    approve: (digest, then) => send(() => tell('actionsApprove', { ...of, digest }), then),
    reject: (reason, then) => send(() => tell('actionsReject', { ...of, reason }), then),
    undo: (reason, then) => send(() => tell('actionsUndo', { ...of, reason }), then),
  }
}
