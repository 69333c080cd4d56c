import { grouped, wholePercent } from '@septet/domain/words'

import { Button } from '../../ui/Button.tsx'
import type { Running } from '../client/use-computed.ts'

type RunningState = Extract<Running<unknown, unknown>['state'], { readonly kind: 'running' }>

type Props = {
  readonly running: {
    readonly state: { readonly kind: 'idle' | 'done' | 'failed' } | RunningState
    readonly cancel: () => void
  }
  /** Undefined: there is nothing to compute yet, as the note says. */
  readonly start: (() => void) | undefined
  /** What it does, on the button. */
  readonly label: string
  /** Said beside the button while nothing is computed. */
  readonly note: string
  /** What is counted while it is computed, and what is done before there is anything to count. */
  readonly words: { readonly of: string; readonly before: string; readonly name: string }
}

/** The button that has something computed on the server, and how far it is. */
export function RunButton({ running: { state, cancel }, start, label, note, words }: Props) {
  const isRunning = state.kind === 'running'
  return (
    <>
      {/* One button, so that the focus stays on it while it turns from one into the other. */}
      <Button
        look={isRunning || start === undefined ? 'outline' : 'strong'}
        className="min-h-9 px-4"
        aria-disabled={start === undefined && !isRunning}
        onClick={isRunning ? cancel : start}
      >
        {isRunning ? 'Cancel' : label}
      </Button>
      {isRunning ? (
        <Progress state={state} words={words} />
      ) : (
        <p className="min-w-0 flex-1 basis-48 text-12 text-ink-soft">{note}</p>
      )}
    </>
  )
}

function Progress({ state: { done, of, ahead }, words }: { readonly state: RunningState } & Pick<Props, 'words'>) {
  const share = of === 0 ? 0 : Math.min(1, done / of)
  return (
    <div className="grid min-w-0 flex-1 basis-56 gap-1">
      <progress
        aria-label={words.name}
        max={1}
        value={share}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-(--busy) [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-(--busy)"
      />
      <output className="font-mono text-12 text-ink-soft">
        {ahead > 0
          ? `${ahead} ahead in the queue`
          : of === 0
            ? words.before
            : `${grouped(Math.min(done, of))} of about ${grouped(of)} ${words.of}, ${wholePercent(share)}`}
      </output>
    </div>
  )
}
