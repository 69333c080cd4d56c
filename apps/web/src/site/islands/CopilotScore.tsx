import { memo } from 'react'

import { COPILOT_DEMO } from '../timings.ts'
import { typingTime, type CopilotMoment } from './copilot-timeline.ts'

type Props = {
  readonly length: number
  readonly time: (CopilotMoment & { readonly running: boolean }) | undefined
  readonly dimmed: boolean
}

const { promptAfterMs, responseAfterMs, nextCardAfterMs } = COPILOT_DEMO
const share = (milliseconds: number): string => `${(milliseconds / nextCardAfterMs) * 100}%`

/** A card's eleven seconds to scale: silence, the wait after the question, the answer being typed; a line marks now. */
export function CopilotScore({ length, time, dimmed }: Props) {
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

function NowLine({ elapsed, running }: NonNullable<Props['time']>) {
  const passes = `passes ${nextCardAfterMs}ms linear ${-elapsed}ms both ${running ? 'running' : 'paused'}`
  return (
    <div style={{ animation: passes }} className="absolute inset-0 motion-reduce:hidden noscript:hidden">
      <div className="h-full w-0.5 bg-ink" />
    </div>
  )
}
