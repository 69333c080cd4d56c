export type Label = { readonly name: string; readonly value: number }
export type PlacedLabel = Label & { readonly top: number }

type Plot = { readonly top: number; readonly height: number }

/** Line height of a label, in pixels. */
const APART = 17

/** Puts each line's name at the height of its last value (0 to 1), and moves names apart where they would touch. */
export function placeLabels<L extends Label>(
  labels: readonly L[],
  { top, height }: Plot,
): readonly (L & PlacedLabel)[] {
  const placed = labels
    .map((label) => ({ ...label, top: top + (1 - label.value) * height }))
    .toSorted((a, b) => a.top - b.top || a.name.localeCompare(b.name))
  let lowest = Number.NEGATIVE_INFINITY
  const down = placed.map((label) => {
    lowest = Math.max(label.top, lowest + APART)
    return { ...label, top: lowest }
  })
  // Pushed below the plot's edge, they move back up from there.
  let highest = top + height + APART
  return down.toReversed().map((label) => {
    highest = Math.min(label.top, highest - APART)
    return { ...label, top: highest }
  })
}
