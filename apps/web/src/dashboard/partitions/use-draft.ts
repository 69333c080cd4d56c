import { useMutation } from '@tanstack/react-query'

import { tell } from '../../api.ts'

type Order = Parameters<typeof tell<'plansDraft'>>[1]
export type LayoutDraft = ReturnType<typeof useDraft>

/** Asks the planner; what it last said stays, with whether that is still what is wished. */
export function useDraft(order: Order) {
  const wish = JSON.stringify(order)
  const mutation = useMutation({
    mutationFn: async (asked: Order) => ({
      plan: await tell('plansDraft', asked),
      wish: JSON.stringify(asked),
      mayWait: asked.mayWait ?? false,
    }),
  })
  return {
    ask: () => mutation.mutateAsync(order).catch(() => undefined),
    busy: mutation.isPending,
    error: mutation.error,
    plan: mutation.data?.plan,
    /** Whether it was asked for with pods that may wait in the queue. */
    mayWait: mutation.data?.mayWait ?? false,
    /** Something was changed since it was asked for. */
    outdated: mutation.data !== undefined && mutation.data.wish !== wish,
  }
}
