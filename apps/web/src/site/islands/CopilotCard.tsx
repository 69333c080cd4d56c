import { memo } from 'react'

import type copilot from '../../../content/copilot.json'
import { Glyph } from '../../ui/Glyph.tsx'
import { type CopilotMoment, type CopilotScene, typingTime } from './copilot-timeline.ts'
import { NOT_YET, TypedText } from './TypedText.tsx'
import { COPILOT_DEMO } from '../timings.ts'

/** A response is what the co-pilot answers on sample data, word for word, with the operations that it cites. */
export type CopilotExample = (typeof copilot.examples)[number]

type Props = {
  readonly example: CopilotExample
  readonly active: boolean
  /** What is shown so far; undefined when all is shown. */
  readonly scene: CopilotScene | undefined
  readonly time: (CopilotMoment & { readonly running: boolean }) | undefined
  readonly onChoose: () => void
}

/** One example: question, answer, and where the answer comes from. Dimmed unless it is the active one. */
export function CopilotCard({ example, active, scene, time, onChoose }: Props) {
  const { icon, category, prompt, response } = example
  return (
    <article
      data-active={active}
      className="group relative flex flex-col rounded-card border border-line p-4 text-ink-quiet transition-colors duration-150 hover:border-line-strong has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent data-[active=true]:border-line-strong data-[active=true]:bg-surface data-[active=true]:text-ink max-sm:p-3"
    >
      <label className="flex cursor-pointer items-center gap-2 text-13 font-medium after:absolute after:inset-0 after:rounded-card">
        <input
          type="radio"
          name="copilot-example"
          aria-label={`${category}: ${prompt}`}
          checked={active}
          onChange={onChoose}
          onClick={active ? onChoose : undefined}
          className="sr-only"
        />
        <span className="group-data-[active=true]:text-busy-ink">
          <Glyph path={icon} box={16} />
        </span>
        {category}
      </label>
      <Conversation example={example} scene={scene} />
      <CopilotScore length={response.length} time={time} dimmed={!active} />
    </article>
  )
}

/** Complete where there is no scene; what is not shown yet keeps its room. */
function Conversation({ example, scene }: Pick<Props, 'example' | 'scene'>) {
  const { prompt, response, operations } = example
  const typed = scene?.typed ?? response.length
  const done = typed === response.length
  return (
    <>
      <p
        className={`max-w-[calc(100%-6.5rem)] -mt-6 self-end rounded-card border border-line px-3 py-1.5 text-14 transition-opacity duration-150 group-data-[active=true]:border-transparent group-data-[active=true]:bg-sunken ${scene?.prompt === false ? NOT_YET : ''}`}
      >
        <span className="sr-only">Question: </span>
        {prompt}
      </p>
      <div className="relative mt-2.5 grow">
        {scene?.thinking === true && <Thinking />}
        <p className="text-14 leading-relaxed">
          <span className="sr-only">Answer: </span>
          <TypedText text={response} shown={typed} caret={typed > 0 && !done} />
        </p>
      </div>
      <p
        className={`mt-2 font-mono text-12 text-ink-quiet max-sm:hidden transition-opacity duration-250 ${done ? '' : NOT_YET}`}
      >
        from {operations.join(' + ')}
      </p>
    </>
  )
}

/** Three bars at work: that an answer is being written. */
function Thinking() {
  return (
    <span
      aria-hidden
      data-thinking
      className="absolute top-1.5 left-0 flex h-3 items-end gap-1 motion-reduce:hidden noscript:hidden"
    >
      {[4, 2, 1].map((height, index) => (
        <span
          key={height}
          className="waits w-1.5 rounded-[1.5px] bg-busy"
          style={{ height: 4 + height * 2, animationDelay: `${index * -500}ms` }}
        />
      ))}
    </span>
  )
}

type CopilotScoreProps = {
  readonly length: number
  readonly time: (CopilotMoment & { readonly running: boolean }) | undefined
  readonly dimmed: boolean
}

const { promptAfterMs, responseAfterMs, nextCardAfterMs } = COPILOT_DEMO
const share = (milliseconds: number): string => `${(milliseconds / nextCardAfterMs) * 100}%`

/** A card's eleven seconds to scale: silence, the wait after the question, the answer being typed; a line marks now. */
function CopilotScore({ length, time, dimmed }: CopilotScoreProps) {
  return (
    <div aria-hidden className={`relative mt-3 h-1.5 overflow-hidden ${dimmed ? 'opacity-50' : ''}`}>
      <div className="absolute inset-x-0 bottom-0 h-px bg-line" />
      <div
        className="absolute h-full rounded-[1.5px] border border-line-strong"
        style={{ left: share(promptAfterMs), width: `calc(${share(responseAfterMs - promptAfterMs)} - 2px)` }}
      />
      <div
        className="absolute h-full rounded-[1.5px] bg-busy"
        style={{ left: share(responseAfterMs), width: share(typingTime(length)) }}
      />
      {time !== undefined && <Now key={`${time.turn} ${time.running}`} {...time} />}
    </div>
  )
}

/** The line runs on the compositor; it is set right whenever the card starts, stops or goes on, and only then. */
const Now = memo(NowLine, () => true)

function NowLine({ elapsed, running }: NonNullable<CopilotScoreProps['time']>) {
  const passes = `passes ${nextCardAfterMs}ms linear ${-elapsed}ms both ${running ? 'running' : 'paused'}`
  return (
    <div style={{ animation: passes }} className="absolute inset-0 motion-reduce:hidden noscript:hidden">
      <div className="h-full w-0.5 bg-ink" />
    </div>
  )
}
