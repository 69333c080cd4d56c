import { useMemo, useRef } from 'react'

import type agentic from '../../../content/agentic.json'
import { Button } from '../../ui/Button.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { TYPING_DEMO } from '../timings.ts'
import { TypedText } from './TypedText.tsx'
import type { Timeline } from './playback.ts'
import { usePlayback } from './use-playback.ts'

/** Asked of the planner about the GPUs of the bars below; the lines of Septet quote its answer. */
type Line = (typeof agentic.lines)[number]

type Props = { readonly title: string; readonly lines: readonly Line[] }

/** A conversation typed out line by line, once. All of it is in the page from the start, and nothing moves as it grows. */
export function TypingDemo({ title, lines }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const lengths = useMemo(() => lines.map(({ text }) => text.length), [lines])
  const timeline = useMemo(() => typingTimeline(lengths), [lengths])
  const { moment, playing, still, playback } = usePlayback(timeline, list)
  const ended = isTyped(moment, lengths)
  const again = (): void => {
    playback.jump(timeline.start)
    playback.play()
  }
  return (
    <div>
      <div className="flex min-h-11 items-center justify-between gap-4 border-b border-line px-4 py-1.5 sm:px-5">
        <h3 className="text-14 font-semibold tracking-tight">{title}</h3>
        {!still && (
          <Button
            className="motion-reduce:hidden noscript:hidden"
            onClick={ended ? again : playing ? playback.pause : playback.play}
          >
            {playing && !ended ? <PauseIcon /> : <PlayIcon />}
            {LABEL[ended ? 'ended' : playing ? 'playing' : 'paused']}
          </Button>
        )}
      </div>
      <ol ref={list} className="flex flex-col gap-2 p-4 sm:px-5">
        {lines.map((line, index) => {
          const typed = index === moment.item ? typedAt(moment.elapsed, line.text.length) : 0
          const shown = still || index < moment.item ? line.text.length : typed
          return (
            <SaidLine key={line.text} line={line} shown={shown} writing={!still && !ended && index === moment.item} />
          )
        })}
      </ol>
    </div>
  )
}

const LABEL = { playing: 'Pause', paused: 'Play', ended: 'Play again' } as const

type LineProps = { readonly line: Line; readonly shown: number; readonly writing: boolean }

function SaidLine({ line: { from, text }, shown, writing }: LineProps) {
  return (
    <li className="text-13 sm:grid sm:grid-cols-[5rem_minmax(0,1fr)] sm:gap-x-4 sm:text-14">
      <span className={`mr-2 sm:text-13 ${from === 'Septet' ? 'font-medium text-busy-ink' : 'text-ink-quiet'}`}>
        {from}
        <span className="sr-only">: </span>
      </span>
      <span className={`text-pretty ${from === 'Septet' ? '' : 'text-ink-soft'}`}>
        <TypedText text={text} shown={shown} caret={writing} />
      </span>
    </li>
  )
}

/** Which item is being typed, and since how many milliseconds. */
type TypingMoment = { readonly item: number; readonly elapsed: number }

const { typingStepMs, restBetweenItemsMs } = TYPING_DEMO

/** Items typed one after the other, once; `lengths` are their characters. It ends with all of them shown. */
export const typingTimeline = (lengths: readonly number[]): Timeline<TypingMoment> => ({
  start: { item: 0, elapsed: 0 },
  later: ({ item, elapsed }, by) => {
    let reached = { item, elapsed: elapsed + by }
    while (reached.item < lengths.length - 1) {
      const length = lasts(lengths[reached.item] ?? 0)
      if (reached.elapsed < length) return reached
      reached = { item: reached.item + 1, elapsed: reached.elapsed - length }
    }
    return { item: reached.item, elapsed: Math.min(reached.elapsed, lasts(lengths[reached.item] ?? 0)) }
  },
  untilChange: ({ item, elapsed }) => {
    const length = lengths[item] ?? 0
    const typed = typedAt(elapsed, length)
    if (typed < length) return (typed + 1) * typingStepMs - elapsed
    return item < lengths.length - 1 ? Math.max(0, lasts(length) - elapsed) : undefined
  },
})

/** Characters of an item that are shown so many milliseconds after it began. */
export const typedAt = (elapsed: number, length: number): number => Math.min(length, Math.floor(elapsed / typingStepMs))

/** Whether every item is typed out. */
export const isTyped = ({ item, elapsed }: TypingMoment, lengths: readonly number[]): boolean =>
  item === lengths.length - 1 && typedAt(elapsed, lengths[item] ?? 0) >= (lengths[item] ?? 0)

const lasts = (length: number): number => length * typingStepMs + restBetweenItemsMs
