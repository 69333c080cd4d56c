// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../theme/site.css'

import { ISLANDS, type LoadIsland } from './islands.ts'

// The only script that every page of the site runs. React and an island's own code come when the island needs them.
let queue = Promise.resolve()
const REACHING = ['pointerenter', 'focusin', 'touchstart', 'keydown'] as const

greetByName()
for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) waitFor(element)
for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu]')) closeMenuWhenDone(menu)

afterLoad(layOutLater)

/** Most who come are not signed in, so what says who is comes only for those who are. The header names what to look for. */
function greetByName(): void {
  const { key = '' } = document.querySelector<HTMLElement>('[data-key]')?.dataset ?? {}
  try {
    const kept = localStorage.getItem(key)
    if (kept) void import('./show-account.ts').then(({ showAccount }) => showAccount(document, kept))
  } catch {
    // A browser that lets nothing be read keeps no session either.
  }
}

/** Starts an island at its time, or at once when somebody reaches for it. */
function waitFor(element: HTMLElement): void {
  let started = false
  const missed = new Set<HTMLElement>()
  const start = (): void => {
    if (started) return
    started = true
    for (const kind of REACHING) element.removeEventListener(kind, start)
    void run()
  }
  const run = async (): Promise<void> => {
    await hydrate(element)
    element.removeEventListener('click', keep, true)
    for (const target of missed) target.click()
  }
  // A click before the island is ready is kept and made again after; links work by themselves.
  const keep = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null
    if (button !== null) missed.add(button)
    start()
  }
  for (const kind of REACHING) element.addEventListener(kind, start, { passive: true })
  element.addEventListener('click', keep, true)
  if (element.dataset['when'] === 'idle') afterLoad(start)
  if (element.dataset['when'] === 'visible') whenVisible(element, start)
}

/** Loads and hydrates islands one after the other, and lets the page breathe between the steps. */
function hydrate(element: HTMLElement): Promise<void> {
  const load = Object.entries<LoadIsland>(ISLANDS).find(([name]) => name === element.dataset['island'])?.[1]
  if (load === undefined) return queue
  // Both are fetched at once and run one by one.
  const loading = Promise.all([import('./hydrate-island.ts'), load()])
  const before = queue
  const turn = async (): Promise<void> => {
    await before
    await breath()
    const [{ hydrateIsland }, component] = await loading
    await breath()
    hydrateIsland(element, component, JSON.parse(element.dataset['props'] ?? '{}'))
  }
  queue = turn()
  return queue
}

/** Resolves in a task of its own. */
const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

function afterLoad(start: () => void): void {
  if (document.readyState === 'complete') whenIdle(start)
  else addEventListener('load', () => whenIdle(start), { once: true })
}

/** In a task of its own when there is time; Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else setTimeout(work, 200)
}

function whenVisible(element: HTMLElement, start: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      start()
    },
    { rootMargin: '200px' },
  )
  observer.observe(element)
}

/**
 * Lays out the sections far below one by one while nobody needs the page's time, so that all of it can be found, measured
 * and read as if it had been there from the start.
 */
function layOutLater(): void {
  const section = document.querySelector('.later')
  if (section === null) return
  whenIdle(() => {
    section.classList.remove('later')
    layOutLater()
  })
}

/**
 * The header's menu is a `details` element and works without this. With it, the menu closes when a link of it was
 * followed on the same page, on Escape, and when somebody presses elsewhere.
 */
function closeMenuWhenDone(menu: HTMLDetailsElement): void {
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  })
}
