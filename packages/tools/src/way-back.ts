type Step = { readonly undo: readonly string[] }

/** What takes a plan back, in the order in which it is done: the last step first. */
export const wayBackOf = (steps: readonly Step[]): readonly string[] => steps.toReversed().flatMap(({ undo }) => undo)
