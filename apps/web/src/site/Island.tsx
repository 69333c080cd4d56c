import { createContext, createElement, use } from 'react'
import { renderToString } from 'react-dom/server'

import type { IslandComponent, IslandName, IslandProps } from './islands.ts'

type Props<Name extends IslandName> = {
  readonly name: Name
  /** `visible`: when it comes into view. `idle`: once the page has loaded. Touching it is always enough, and `touch` waits for it. */
  readonly when?: 'visible' | 'idle' | 'touch'
  readonly props: IslandProps<Name>
  readonly className?: string
}

/**
 * A place on a pre-rendered page that React takes over later. It is complete HTML from the start, a root of its own on both
 * sides, so that ids made by React agree.
 */
export function Island<Name extends IslandName>({ name, when = 'visible', props, className }: Props<Name>) {
  const component = use(LoadedIslands).get(name)
  if (component === undefined) throw new Error(`the island ${name} was not loaded before rendering`)
  return (
    <div
      className={className}
      data-island={name}
      data-when={when}
      data-props={JSON.stringify(props)}
      // oxlint-disable-next-line react/no-danger -- HTML that React made in this very line
      dangerouslySetInnerHTML={{ __html: renderToString(createElement(component, props), { identifierPrefix: name }) }}
    />
  )
}

/** The components of all islands, loaded before a page is rendered. */
export const LoadedIslands = createContext<ReadonlyMap<string, IslandComponent>>(new Map())
