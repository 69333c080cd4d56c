import { useRef, useState } from 'react'

import { showToast, type ToastMessage } from '../ui/Toasts.tsx'
import { exceptionMessage } from './messages.ts'

export type AttemptState = {
  readonly busy: boolean
  /** What was said last, for those who missed it in the corner. */
  readonly said: ToastMessage | undefined
  /** Says it in the corner, and keeps it on the form until the next attempt. */
  readonly say: (message: ToastMessage) => void
  /** Runs one attempt at a time; what it throws becomes words. */
  readonly run: (attempt: () => Promise<void>) => Promise<void>
}

/** A form that is being sent. */
export function useAttempt(): AttemptState {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<ToastMessage>()
  const running = useRef(false)
  const say = (message: ToastMessage): void => {
    setSaid(message)
    showToast(message)
  }
  const run = async (attempt: () => Promise<void>): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setSaid(undefined)
    try {
      await attempt()
    } catch (error) {
      say(exceptionMessage(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, said, say, run }
}
