import { useUrlChoice } from '../address/url-state.ts'

/** Which column a table is sorted by. */
export type Sorting = { readonly id: string; readonly down: boolean }

/** The sorting that the address names (`-cost` is from the largest down), else the one that the table begins with. */
export function useSorting(
  parameter: string,
  known: readonly string[],
  initial: Sorting | undefined,
): readonly [Sorting | undefined, (sorting: Sorting) => void] {
  const [text, choose] = useUrlChoice(parameter)
  const asked = text === undefined ? undefined : { id: text.replace(/^-/u, ''), down: text.startsWith('-') }
  const sorting = asked !== undefined && known.includes(asked.id) ? asked : initial
  return [sorting, (next) => choose(sortingText(next), { replace: true })]
}

/** A sorting as the address writes it. */
export const sortingText = ({ id, down }: Sorting): string => `${down ? '-' : ''}${id}`
