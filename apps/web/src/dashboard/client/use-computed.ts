import { useCallback, useEffect, useRef, useState } from 'react'

import { ask, tell, type Order, type Outcome } from '../../api.ts'
import { failureWords } from './failure-words.ts'

type RunState<Asked, Result> =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running'
      readonly done: number
      readonly of: number
      /** How many of others are computed before it. */
      readonly ahead: number
    }
  | { readonly kind: 'done'; readonly result: Result; readonly asked: Asked }
  | { readonly kind: 'failed'; readonly problem: string }

export type Running<Asked, Result> = {
  readonly state: RunState<Asked, Result>
  readonly start: (asked: Asked) => void
  readonly cancel: () => void
}

type Told<Result> = Pick<Outcome<'scenariosStart'>, 'id' | 'state' | 'done' | 'of' | 'ahead' | 'problem'> & {
  readonly result: Result | null
}

/** How something is begun, looked at, and given up. */
type Faces<Asked, Result> = {
  readonly begin: (asked: Asked) => Promise<Told<Result>>
  readonly look: (id: string, signal: AbortSignal) => Promise<Told<Result>>
  readonly forget: (id: string) => Promise<unknown>
}

/** A scenario of What if. */
export const useScenarioRun = () => useComputed(SCENARIO)
const SCENARIO = {
  begin: (asked: Order<'scenariosStart'>) => tell('scenariosStart', asked),
  look: (id: string, signal: AbortSignal) => ask('scenariosGet', { id }, signal),
  forget: (id: string) => tell('scenariosCancel', { id }),
}

export type PlanOrder = Order<'plansMake'>
export type MadePlan = NonNullable<Outcome<'plansMake'>['result']>
export type Planning = Running<PlanOrder, MadePlan>

/** A plan for any goal. */
export const usePlan = (): Planning => useComputed(PLAN)
/** Most plans take less than this, seconds, and are there with the first answer. */
const WAITS = 1
const PLAN = {
  begin: (asked: PlanOrder) => tell('plansMake', { ...asked, wait: WAITS }),
  look: (id: string, signal: AbortSignal) => ask('plansGet', { id }, signal),
  forget: (id: string) => tell('plansCancel', { id }),
}

const LOOK_MS = 400

/** One at a time, computed on the server; leaving the page cancels it. */
function useComputed<Asked, Result>(faces: Faces<Asked, Result>): Running<Asked, Result> {
  const [state, setState] = useState<RunState<Asked, Result>>({ kind: 'idle' })
  const stop = useRef<() => void>(undefined)
  const end = useCallback(() => {
    stop.current?.()
    stop.current = undefined
  }, [])
  useEffect(() => end, [end])
  const start = useCallback(
    (asked: Asked) => {
      end()
      setState({ kind: 'running', done: 0, of: 0, ahead: 0 })
      stop.current = compute(faces, asked, setState)
    },
    [end, faces],
  )
  const cancel = useCallback(() => {
    end()
    setState({ kind: 'idle' })
  }, [end])
  return { state, start, cancel }
}

function compute<Asked, Result>(
  { begin, look, forget }: Faces<Asked, Result>,
  asked: Asked,
  say: (state: RunState<Asked, Result>) => void,
): () => void {
  const life = new AbortController()
  const { signal } = life
  let id: string | undefined
  // What is over is not there any more, which is as good.
  const giveUp = (): unknown => (id === undefined ? undefined : forget(id).catch(() => undefined))
  const follow = async (): Promise<void> => {
    let now = await begin(asked)
    id = now.id
    // It was cancelled while the server was being asked to start it.
    if (signal.aborted) return void giveUp()
    while (now.result === null && now.problem === null) {
      say({ kind: 'running', done: now.done, of: now.of, ahead: now.ahead })
      await pause(LOOK_MS)
      if (signal.aborted) return
      now = await look(id, signal)
    }
    say(
      now.result === null
        ? { kind: 'failed', problem: now.problem ?? 'It failed.' }
        : { kind: 'done', result: now.result, asked },
    )
  }
  follow().catch((error: unknown) => {
    if (!signal.aborted) say({ kind: 'failed', problem: failureWords(error) })
  })
  return () => {
    life.abort()
    void giveUp()
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
