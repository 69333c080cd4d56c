import { createElement, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'

import type { IslandComponent } from './islands.ts'

/**
 * Lets React take over one island's element, in slices that leave the page time for its visitor. The prefix is the one it
 * was rendered with.
 */
export function hydrateIsland(element: HTMLElement, component: IslandComponent, props: object): void {
  startTransition(() => {
    hydrateRoot(element, createElement(component, props), { identifierPrefix: element.dataset['island'] ?? '' })
  })
}
