import { tell } from '../../../api.ts'
import { useActionsAnew } from '../../acting/use-open-actions.ts'
import { useSending } from '../../client/use-sending.ts'

type Of = { readonly cluster: string; readonly id: string }

/** Called when it is over, with whether it was done; what holds now is loaded by then. */
type Then = (isDone: boolean) => void

export type Decide = {
  readonly busy: boolean
  readonly problem: string | undefined
  /** Allows the plan of that digest and no other. */
  readonly approve: (digest: string, then: Then) => void
  readonly reject: (reason: string, then: Then) => void
  readonly undo: (reason: string, then: Then) => void
}

/** Sends a decision, and asks again for the action whatever came of it: a refusal means that it has changed. */
export function useDecide(of: Of): Decide {
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  // No message in a corner: the card says what came of it, and it would cover the buttons.
  const send = (order: () => Promise<unknown>, then: Then): void =>
    void run(async () => {
      let isDone = false
      try {
        await order()
        isDone = true
        return undefined
      } finally {
        await anew()
        then(isDone)
      }
    })
  return {
    busy,
    problem,
    approve: (digest, then) => send(() => tell('actionsApprove', { ...of, digest }), then),
    reject: (reason, then) => send(() => tell('actionsReject', { ...of, reason }), then),
    undo: (reason, then) => send(() => tell('actionsUndo', { ...of, reason }), then),
  }
}
