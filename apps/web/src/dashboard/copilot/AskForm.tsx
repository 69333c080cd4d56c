import { useState, type RefObject } from 'react'

import { Button } from '../../ui/Button.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'

type Props = {
  readonly box: RefObject<HTMLTextAreaElement | null>
  /** Undefined while an answer is on its way. */
  readonly ask: ((question: string) => void) | undefined
  /** Ends that; undefined while nothing is on its way. */
  readonly stop: (() => void) | undefined
}

/** The question box. Enter asks; Shift and Enter begin a new line. */
export function AskForm({ box, ask, stop }: Props) {
  const [typed, setTyped] = useState('')
  const send = (): void => {
    if (ask === undefined || typed.trim() === '') return
    ask(typed)
    setTyped('')
  }
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={box}
        aria-label="Your question"
        placeholder="Which workloads are waiting, and why?"
        required
        rows={2}
        maxLength={2000}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
        className="min-h-16 min-w-0 flex-1 resize-none rounded-control border border-(--free) bg-surface px-3 py-2 text-16 placeholder:text-ink-quiet hover:border-ink-quiet sm:text-14"
      />
      {stop === undefined ? (
        <SubmitButton busy={ask === undefined}>Ask</SubmitButton>
      ) : (
        <Button
          className="min-h-10 px-4"
          onClick={() => {
            stop()
            // This button goes, and the next question is typed there.
            box.current?.focus()
          }}
        >
          Stop
        </Button>
      )}
    </form>
  )
}
