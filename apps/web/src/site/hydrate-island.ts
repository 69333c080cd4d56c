import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'

import type { IslandComponent } from './islands.ts'

/** Lets React take over one island's element. The prefix is the one it was rendered with. */
export function hydrateIsland(element: HTMLElement, component: IslandComponent, props: object): void {
  hydrateRoot(element, createElement(component, props), { identifierPrefix: element.dataset['island'] ?? '' })
}
