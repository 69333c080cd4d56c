import { useEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { Bone } from '../../ui/Bone.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { AnswerView } from './AnswerView.tsx'
import { STOPPED, type Turn } from './copilot-context.ts'
import { STEP } from './NextSteps.tsx'
import type { ConversationState as Shown } from './use-conversation.ts'
import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'

/** What is worth asking on each screen, by the first part of its path. */
const EXAMPLES: Readonly<Record<string, readonly CopilotQuestion[]>> = {
  '': ['cost-this-month', 'most-waste', 'waits-and-why'],
  fleet: ['idle-gpus', 'faulty-gpus', 'busy-nodes'],
  partitions: ['fits-1g.10gb', 'stranded-capacity', 'nodes-to-repartition'],
  workloads: ['waits-and-why', 'least-used'],
  cost: ['costliest-namespace', 'busy-namespaces', 'month-forecast'],
  actions: ['do-first', 'saved', 'to-approve'],
  alerts: ['wrong-now', 'faulty-gpus'],
}

/** Questions to begin with, on the screen of that path. */
export const exampleQuestions = (path: string): readonly string[] =>
  (EXAMPLES[path.split('/')[1] ?? ''] ?? EXAMPLES[''] ?? []).map((id) => COPILOT_QUESTIONS[id])

type Props = Pick<Shown, 'turns' | 'ask' | 'problem'>

/** Questions with their answers, the newest at the end; before the first one, what is worth asking on this screen. */
export function Conversation({ turns, ask, problem }: Props) {
  const list = useRef<HTMLElement>(null)
  const end = useRef<HTMLElement>(null)
  const last = turns.at(-1)
  const newest = last?.id
  // Another one once it is asked, and again once it is answered.
  const moment = last && `${last.id} ${last.answer?.id ?? ''}`
  // The question goes to the top, so that its answer is read from its beginning: the answer fills the rest.
  useEffect(() => {
    // Not scrollIntoView, which moves the page behind as well.
    if (moment !== undefined && end.current !== null) list.current?.scrollTo({ top: end.current.offsetTop - ABOVE })
  }, [moment])
  return (
    <section
      ref={list}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Questions and answers"
      className="min-h-0 flex-1 relative overflow-y-auto px-4 py-4"
    >
      <ProblemBox words={problem} className="mb-3" />
      {turns.length === 0 && <Beginning ask={ask} />}
      <div className="grid gap-6">
        {turns.map((turn, place) => (
          <TurnView key={turn.id} turn={turn} number={place + 1} ask={ask} ref={turn.id === newest ? end : undefined} />
        ))}
      </div>
    </section>
  )
}

/** Pixels that are left above the newest question. */
const ABOVE = 16

type TurnProps = {
  readonly turn: Turn
  readonly number: number
  readonly ask: Props['ask']
  readonly ref: RefObject<HTMLElement | null> | undefined
}

const TurnView = ({ turn: { question, answer, failure, said }, number, ask, ref }: TurnProps) => (
  <article
    ref={ref}
    aria-label={question}
    aria-busy={answer === undefined && failure === undefined}
    className="grid gap-2.5"
  >
    <h3 className="border-l-2 border-accent pl-2.5 text-14 font-semibold wrap-anywhere">{question}</h3>
    {answer !== undefined && <AnswerView answer={answer} number={number} ask={ask} />}
    {answer === undefined && said.length > 0 && <p className="text-14 wrap-anywhere">{said.join(' ')}</p>}
    {failure !== undefined && <Failure words={failure} again={ask && (() => ask(question))} />}
    {answer === undefined && failure === undefined && <OnItsWay isBegun={said.length > 0} />}
  </article>
)

const Failure = ({ words, again }: { readonly words: string; readonly again: (() => void) | undefined }) => (
  <div className="grid justify-items-start gap-2">
    <p className={`rounded-control px-3 py-2 text-13 ${words === STOPPED ? 'bg-sunken' : 'bg-fault-soft'}`}>{words}</p>
    <button type="button" aria-disabled={again === undefined} onClick={again} className={STEP}>
      Ask again
    </button>
  </div>
)

const OnItsWay = ({ isBegun }: { readonly isBegun: boolean }) => (
  <div className="grid gap-2">
    {!isBegun && <p className="text-13 text-ink-soft">Looking it up…</p>}
    <Bone className="h-4 w-full" />
    <Bone className="h-4 w-2/3" />
  </div>
)

function Beginning({ ask }: { readonly ask: Props['ask'] }) {
  const { pathname } = useLocation()
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-soft">
        Choose a question. Every number in an answer names the evidence it comes from. Questions in your own words need
        a language model.
      </p>
      <p className="text-12 text-ink-quiet">Worth asking on this page</p>
      <ul className="grid gap-1.5">
        {exampleQuestions(pathname).map((question) => (
          <li key={question}>
            <button
              type="button"
              aria-disabled={ask === undefined}
              onClick={() => ask?.(question)}
              className={`w-full ${STEP}`}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
