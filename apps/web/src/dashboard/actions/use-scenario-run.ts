import type { Scenario, ScenarioResult, ScenarioSource } from '@septet/domain'
import { useCallback, useEffect, useRef, useState } from 'react'

import { ask, tell } from '../../api.ts'
import { failureWords } from '../client/failure-words.ts'
import type { ScenarioNews, ScenarioOrder } from './scenario-worker.ts'

export type Where = 'browser' | 'server'

type RunState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running'
      readonly where: Where
      readonly done: number
      readonly of: number
      /** How many of others are computed before it. */
      readonly ahead: number
    }
  | { readonly kind: 'done'; readonly where: Where; readonly result: ScenarioResult; readonly scenario: Scenario }
  | { readonly kind: 'failed'; readonly problem: string }

export type ScenarioRunning = {
  readonly state: RunState
  readonly here: (source: ScenarioSource, scenario: Scenario) => void
  readonly there: (cluster: string | undefined, scenario: Scenario) => void
  readonly cancel: () => void
}

const LOOK_MS = 400

/** One scenario at a time, computed in a worker of this browser or on the server; leaving the page cancels it. */
export function useScenarioRun(): ScenarioRunning {
  const [state, setState] = useState<RunState>({ kind: 'idle' })
  const stop = useRef<() => void>(undefined)
  const end = useCallback(() => {
    stop.current?.()
    stop.current = undefined
  }, [])
  useEffect(() => end, [end])
  const here = useCallback<ScenarioRunning['here']>(
    (source, scenario) => {
      end()
      setState({ kind: 'running', where: 'browser', done: 0, of: 0, ahead: 0 })
      stop.current = computeHere({ source, scenario }, setState)
    },
    [end],
  )
  const there = useCallback<ScenarioRunning['there']>(
    (cluster, scenario) => {
      end()
      setState({ kind: 'running', where: 'server', done: 0, of: 0, ahead: 0 })
      stop.current = computeThere({ cluster, scenario }, setState)
    },
    [end],
  )
  const cancel = useCallback(() => {
    end()
    setState({ kind: 'idle' })
  }, [end])
  return { state, here, there, cancel }
}

type Say = (state: RunState) => void

function computeHere(order: ScenarioOrder, say: Say): () => void {
  const worker = new Worker(new URL('./scenario-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data: news }: MessageEvent<ScenarioNews>) => {
    if (news.kind === 'progress') say({ kind: 'running', where: 'browser', done: news.done, of: news.of, ahead: 0 })
    else if (news.kind === 'failed') say({ kind: 'failed', problem: news.message })
    else say({ kind: 'done', where: 'browser', result: news.result, scenario: order.scenario })
  })
  worker.addEventListener('error', () =>
    say({ kind: 'failed', problem: 'The script that computes scenarios did not load. Load the page again.' }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  worker.postMessage(order)
  return () => worker.terminate()
}

type There = { readonly cluster: string | undefined; readonly scenario: Scenario }

function computeThere({ cluster, scenario }: There, say: Say): () => void {
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
        return say({ kind: 'done', where: 'server', result: now.result, scenario })
      }
      if (now.state === 'failed') return say({ kind: 'failed', problem: now.problem ?? 'It failed.' })
      say({ kind: 'running', where: 'server', done: now.done, of: now.of, ahead: now.ahead })
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
