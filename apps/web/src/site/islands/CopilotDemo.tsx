import { useMemo, useRef } from 'react'

import { Button } from '../../ui/Button.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { copilotTimeline, sceneAt } from './copilot-timeline.ts'
import { CopilotCard, type CopilotExample } from './CopilotCard.tsx'
import { usePlayback } from './use-playback.ts'

type Props = { readonly examples: readonly CopilotExample[] }

/**
 * The examples one after the other, as timed in the specification. A card is chosen by mouse or arrow keys and plays from
 * its beginning; while the keyboard is on the cards, none takes its place.
 */
export function CopilotDemo({ examples }: Props) {
  const cards = useRef<HTMLDivElement>(null)
  const timeline = useMemo(() => copilotTimeline(examples.map(({ response }) => response.length)), [examples])
  const { moment, playing, running, still, playback } = usePlayback(timeline, cards)
  const choose = (card: number): void => playback.jump({ card, elapsed: 0, turn: moment.turn + 1 })
  return (
    <div>
      <div className="mb-3 flex min-h-7 items-center justify-end motion-reduce:hidden noscript:hidden">
        {!still && (
          <Button onClick={playing ? playback.pause : playback.play}>
            {playing ? <PauseIcon /> : <PlayIcon />}
            {playing ? 'Pause' : 'Play'}
          </Button>
        )}
      </div>
      <div
        ref={cards}
        role="radiogroup"
        aria-label="Example questions"
        onFocus={({ target }) => playback.hold(target.matches(':focus-visible'))}
        onBlur={() => playback.hold(false)}
        className="grid gap-3 lg:grid-cols-2"
      >
        {examples.map((example, index) => {
          const active = index === moment.card
          const scene = active && !still ? sceneAt(moment.elapsed, example.response.length) : undefined
          return (
            <CopilotCard
              key={example.category}
              example={example}
              active={active}
              scene={scene}
              time={active && !still ? { ...moment, running } : undefined}
              onChoose={() => choose(index)}
            />
          )
        })}
      </div>
    </div>
  )
}
