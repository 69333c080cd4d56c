import { plural } from '@septet/domain/words'
import { Fragment, useId, useState } from 'react'

import { Badge } from '../../ui/Badge.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { AnswerBlock } from './AnswerBlock.tsx'
import type { CopilotAnswer } from './copilot-context.ts'
import { EvidenceList } from './EvidenceList.tsx'
import { NextSteps } from './NextSteps.tsx'

type Props = {
  readonly answer: CopilotAnswer
  /** Which one it is in the conversation, from 1. */
  readonly number: number
  /** Asks one of the questions that come next; undefined while another one is on its way. */
  readonly ask: ((question: string) => void) | undefined
}

/** One answer: what it says, with the numbers of its evidence; what it shows; what comes next; and who answered. */
export function AnswerView({ answer, number: place, ask }: Props) {
  const { verdict, sentences, blocks, citations, next } = answer
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const show = (number: number): void => {
    setOpen(true)
    // After it is drawn: what is folded takes no focus.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${number}`)}`)?.focus())
  }
  return (
    <div className="grid min-w-0 gap-3">
      {verdict !== 'answered' && (
        <p>
          <Badge tone={verdict === 'refused' ? 'warning' : 'secondary'}>{VERDICTS[verdict]}</Badge>
        </p>
      )}
      <p className="text-14 wrap-anywhere whitespace-pre-line">
        {sentences.map(({ text, cites }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the sentences of an answer never move
          <Fragment key={at}>
            {text}
            {cites.map((number) => (
              <button
                key={number}
                type="button"
                aria-label={`Evidence ${number}`}
                onClick={() => show(number)}
                className="ml-1 inline-flex min-h-6 min-w-6 items-center justify-center rounded-control bg-sunken px-1 align-middle font-mono text-12 text-accent-ink hover:underline"
              >
                {number}
              </button>
            ))}{' '}
          </Fragment>
        ))}
      </p>
      {blocks.map((block, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- nor do its tables
        <AnswerBlock key={at} block={block} label={`${block.title}, answer ${place}`} />
      ))}
      {citations.length > 0 && (
        <EvidenceList id={id} citations={citations} isOpen={isOpen} onToggle={(opened) => setOpen(opened)} />
      )}
      <NextSteps title={verdict === 'cannot' ? 'What I can answer' : 'Next'} next={next} ask={ask} />
      <Origin answer={answer} />
    </div>
  )
}

const VERDICTS = { cannot: 'Cannot answer this', refused: 'Not done: the co-pilot only reads' } as const

/** Who answered, when, and what was left out of it. */
const Origin = ({ answer: { engine, at, dropped } }: { readonly answer: CopilotAnswer }) => (
  <div className="grid gap-1 text-12 text-ink-quiet">
    {dropped > 0 && (
      <p>
        {plural(dropped, 'sentence')} of the model {dropped === 1 ? 'was' : 'were'} left out: no result held what{' '}
        {dropped === 1 ? 'it' : 'they'} said.
      </p>
    )}
    {engine.because !== undefined && <p className="text-ink-soft">{engine.because}</p>}
    <p>
      {engine.kind === 'model' ? `Answered by the model ${engine.name},` : 'Without a language model,'}{' '}
      <time dateTime={at}>{dayTime(at)}</time>
    </p>
  </div>
)
