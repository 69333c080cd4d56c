import { COPILOT_QUESTIONS, LONGEST_LINE } from '@septet/contract/copilot-questions'
import { useEffect, useState } from 'react'

import { usePageTitle } from '../../ui/use-page-title.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { Button } from '../../ui/Button.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { AnswerView } from '../copilot/AnswerView.tsx'
import { useCopilot } from '../copilot/copilot-context.ts'
import { STEP } from '../copilot/NextSteps.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Bones } from '../panel/Bones.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { QueryField } from './QueryField.tsx'
import { QueryPieces } from './QueryPieces.tsx'

/** A pause in typing that is long enough to read the line. */
const PAUSE_MS = 200

/** One typed line over all figures: what it was read as, and its answer. The line is in the address. */
export function AskPage() {
  usePageTitle('Ask · Septet')
  const { cluster, zone } = useUrlState()
  const [kept = '', keep] = useUrlChoice('q')
  const [typed, setTyped] = useState(kept)
  // Back, or a link, brings another line.
  const [shown, setShown] = useState(kept)
  if (kept !== shown) {
    setShown(kept)
    if (kept !== typed.trim()) setTyped(kept)
  }
  const line = useSettled(typed.slice(0, LONGEST_LINE), PAUSE_MS)
  useEffect(() => {
    if (line.trim() !== kept && line === typed) keep(line.trim(), { replace: true })
  }, [line, typed, kept, keep])
  const answer = useAnswer('queryAsk', { cluster, zone, line })
  const { data } = answer
  return (
    <>
      <ScreenHead
        title="Ask"
        lead="One line: a figure, of what, which of them, and when."
        docs="using-the-dashboard#asking"
      />
      <div className="grid grid-cols-1 gap-5">
        <QueryField value={typed} change={setTyped} completions={data?.line === typed ? data.completions : []} />
        {typed.trim() === '' ? (
          <Examples choose={setTyped} />
        ) : (
          <Answered answer={answer} waiting={<Bones heights={['h-8', 'h-40']} />}>
            {(read) => (
              <div className="grid grid-cols-1 gap-5">
                <QueryPieces read={read} change={setTyped} />
                {read.answer === null ? (
                  <AskInWords line={read.line} />
                ) : (
                  <section aria-label="Answer" className="rounded-card border border-line bg-surface px-5 py-4">
                    <AnswerView answer={read.answer} number={1} ask={setTyped} />
                  </section>
                )}
              </div>
            )}
          </Answered>
        )}
      </div>
    </>
  )
}

const EXAMPLES = [
  'cost by namespace, this week vs last week',
  'top 10 workloads by idle cost, last 7 days',
  'busy of workloads < 20%, last 24 hours',
  'how many workloads are waiting',
  'idle GPUs',
  'faulty GPUs',
  'busy by GPU model, last 7 days',
  'workloads waiting longer than 1 h',
]

const QUESTIONS = [
  COPILOT_QUESTIONS['cost-this-month'],
  COPILOT_QUESTIONS['most-waste'],
  COPILOT_QUESTIONS['largest-saving'],
  COPILOT_QUESTIONS.saved,
  COPILOT_QUESTIONS['waits-and-why'],
  COPILOT_QUESTIONS['to-approve'],
  COPILOT_QUESTIONS['month-forecast'],
  COPILOT_QUESTIONS['wrong-now'],
]

type Choose = { readonly choose: (line: string) => void }

/** What can be asked: lines to change, and questions that are answered as they are. */
function Examples({ choose }: Choose) {
  return (
    <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
      <Lines title="Lines to start from" lines={EXAMPLES} choose={choose} />
      <Lines title="Questions" lines={QUESTIONS} choose={choose} />
    </div>
  )
}

function Lines({ title, lines, choose }: Choose & { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <section className="grid content-start gap-2">
      <h2 className="text-12 text-ink-quiet">{title}</h2>
      <ul className="flex flex-wrap gap-1.5">
        {lines.map((line) => (
          <li key={line} className="max-w-full">
            <button type="button" onClick={() => choose(line)} className={STEP}>
              {line}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Where a line is not understood whole, nothing is answered; a language model may understand it. */
function AskInWords({ line }: { readonly line: string }) {
  const copilot = useCopilot()
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-ink-soft">
      There is no answer until every part of the line is understood.
      <Button onClick={() => copilot.ask(line)}>Ask the co-pilot instead</Button>
    </p>
  )
}
