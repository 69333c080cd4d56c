import type { Scenario, ScenarioResult } from '@septet/domain'
import { useCallback, useEffect, useRef, useState } from 'react'

import { ask, tell } from '../../api.ts'
import { failureWords } from '../client/failure-words.ts'

type RunState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running'
      readonly done: number
      readonly of: number
      /** How many of others are computed before it. */
      readonly ahead: number
    }
  | { readonly kind: 'done'; readonly result: ScenarioResult; readonly scenario: Scenario }
  | { readonly kind: 'failed'; readonly problem: string }

export type ScenarioRunning = {
  readonly state: RunState
  readonly start: (cluster: string | undefined, scenario: Scenario) => void
  readonly cancel: () => void
}

const LOOK_MS = 400

/** One scenario at a time, computed on the server; leaving the page cancels it. */
export function useScenarioRun(): ScenarioRunning {
  const [state, setState] = useState<RunState>({ kind: 'idle' })
  const stop = useRef<() => void>(undefined)
  const end = useCallback(() => {
    stop.current?.()
    stop.current = undefined
  }, [])
  useEffect(() => end, [end])
  const start = useCallback<ScenarioRunning['start']>(
    (cluster, scenario) => {
      end()
      setState({ kind: 'running', done: 0, of: 0, ahead: 0 })
      stop.current = compute({ cluster, scenario }, setState)
    },
    [end],
  )
  const cancel = useCallback(() => {
    end()
    setState({ kind: 'idle' })
  }, [end])
  return { state, start, cancel }
}

type Say = (state: RunState) => void

type Asked = { readonly cluster: string | undefined; readonly scenario: Scenario }

function compute({ cluster, scenario }: Asked, say: Say): () => void {
  const life = new AbortController()
  const { signal } = life
  let id: string | undefined
  const follow = async (): Promise<void> => {
    const started = await tell('scenariosStart', { scenario, ...(cluster === undefined ? {} : { cluster }) })
    id = started.id
    // It was cancelled while the server was being asked to start it.
    if (signal.aborted) return forget(id)
    for (let now = started; ; now = await ask('scenariosGet', { id }, signal)) {
      if (now.state === 'done' && now.result !== null) {
        return say({ kind: 'done', result: now.result, scenario })
      }
      if (now.state === 'failed') return say({ kind: 'failed', problem: now.problem ?? 'It failed.' })
      say({ kind: 'running', done: now.done, of: now.of, ahead: now.ahead })
      await pause(LOOK_MS)
      if (signal.aborted) return
    }
  }
  follow().catch((error: unknown) => {
    if (signal.aborted) return
    say({ kind: 'failed', problem: failureWords(error) })
  })
  return () => {
    life.abort()
    if (id !== undefined) void forget(id)
  }
}

/** What is over is not there any more, which is as good. */
const forget = async (id: string): Promise<void> => {
  await tell('scenariosCancel', { id }).catch(() => undefined)
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
