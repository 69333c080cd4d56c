import { rangeText, type TimeRange } from '@septet/domain'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

import { BROWSER_ZONE, rangeOf, zoneOf } from './range-choice.ts'

export type UrlState = {
  /** Undefined: whichever the server names first. */
  readonly cluster: string | undefined
  /** What is looked back on; `rangeWords` says it. */
  readonly over: TimeRange
  /** The same as the server is asked for it: `24h`, `month@Europe/Berlin`, or two instants with a slash between. */
  readonly range: string
  /** In which time zone days, weeks and months begin; the browser's unless the address names another. */
  readonly zone: string
  /** Each choice is a step in the history, so that back undoes it. */
  readonly choose: (choice: { readonly cluster?: string; readonly range?: string; readonly zone?: string }) => void
}

/** What the address says is shown. A link to it shows a colleague the same. */
export function useUrlState(): UrlState {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback<UrlState['choose']>(
    (choice) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(choice)) after.set(name, value)
        return after
      }),
    [setSearch],
  )
  const chosenZone = zoneOf(search.get('zone'))
  const over = rangeOf(search.get('range'), chosenZone ?? BROWSER_ZONE)
  // A link from a mailed report names the zone with the range.
  const zone = chosenZone ?? (over.kind === 'calendar' ? over.zone : BROWSER_ZONE)
  return { cluster: search.get('cluster') ?? undefined, over, range: rangeText(over), zone, choose }
}

/**
 * One more choice that the address keeps: its text, or undefined, and how to change it. `replace` does not make a step in
 * the history: for what is typed letter by letter.
 */
export function useUrlChoice(
  name: string,
): readonly [string | undefined, (value: string | undefined, how?: { readonly replace: boolean }) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (value: string | undefined, how: { readonly replace: boolean } = { replace: false }) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        if (value === undefined || value === '') after.delete(name)
        else after.set(name, value)
        return after
      }, how),
    [name, setSearch],
  )
  return [search.get(name) ?? undefined, choose]
}
