import type { Targets } from './layout-draft.ts'

/** What was wished, what was wished before and what was taken back, and what the last press did, in words. */
export type DraftHistory = {
  readonly targets: Targets
  readonly past: readonly Targets[]
  readonly future: readonly Targets[]
  readonly said: string
}

export const NO_DRAFT: DraftHistory = { targets: {}, past: [], future: [], said: '' }

export type DraftStep =
  | { readonly kind: 'wish'; readonly targets: Targets; readonly said: string }
  /** Nothing changes but what is said. */
  | { readonly kind: 'say'; readonly said: string }
  | { readonly kind: 'undo' | 'redo' }

const LONGEST = 200

export function afterStep(history: DraftHistory, step: DraftStep): DraftHistory {
  const { targets, past, future } = history
  if (step.kind === 'say') return { ...history, said: step.said }
  if (step.kind === 'wish')
    return { targets: step.targets, past: [...past, targets].slice(-LONGEST), future: [], said: step.said }
  if (step.kind === 'undo') {
    const before = past.at(-1)
    return before === undefined
      ? { ...history, said: 'Nothing to undo.' }
      : { targets: before, past: past.slice(0, -1), future: [targets, ...future], said: 'Undone.' }
  }
  const [next, ...later] = future
  return next === undefined
    ? { ...history, said: 'Nothing to redo.' }
    : { targets: next, past: [...past, targets], future: later, said: 'Done again.' }
}
