import { useRef, useState } from 'react'

import { showToast } from '../../ui/Toasts.tsx'
import { failureWords } from './failure-words.ts'

/** What came of it, in words: what stands in the way (kept on the form), or what is done now (said in a corner). */
export type Sent = { readonly problem: string } | { readonly done: string } | undefined

export type Sending = {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Sends one thing at a time; what it throws becomes the problem. */
  readonly run: (send: () => Promise<Sent>) => Promise<void>
}

/** Something that is being sent to the server. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const running = useRef(false)
  const run = async (send: () => Promise<Sent>): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      const sent = await send()
      if (sent !== undefined && 'problem' in sent) setProblem(sent.problem)
      if (sent !== undefined && 'done' in sent) showToast({ title: 'Success', description: sent.done, tone: 'good' })
    } catch (error) {
      setProblem(failureWords(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, problem, run }
}
