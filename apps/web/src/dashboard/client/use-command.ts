import { tell, type Command, type Order, type Outcome } from '../../api.ts'
import { type Sent, useSending } from './use-sending.ts'

type After<C extends Command> = {
  /** Asks again for what it changed. */
  readonly after: (outcome: Outcome<C>) => unknown
  /** What is said in a corner when it went well. */
  readonly done?: (order: Order<C>, outcome: Outcome<C>) => string
}

/** A button's command to the server, one at a time: whether it is on its way, and what stood in its way. */
export function useCommand<C extends Command>(command: C, { after, done }: After<C>) {
  const { busy, problem, run } = useSending()
  const send = (order: Order<C>): void =>
    void run(async (): Promise<Sent> => {
      const outcome = await tell(command, order)
      await after(outcome)
      return done === undefined ? undefined : { done: done(order, outcome) }
    })
  return { busy, problem, send }
}
