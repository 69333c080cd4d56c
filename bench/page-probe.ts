import type { Page } from 'playwright-core'

/** What is waited for in the page. */
export type Sight = {
  /** The text of the page's one heading. */
  readonly heading: string
  /** Something of the screen's own content; left out where the heading is all there is. */
  readonly content?: string
  /** Also until no part waits for its figures any more. */
  readonly whole?: boolean
}

type Probe = {
  seen?: (sight: Sight, since?: number) => Promise<number>
  interactions?: Map<number, number>
  longTasks?: number[]
  clicked?: number
}

/** Runs in the page before its own scripts: notes interactions and long tasks, and can tell when something is painted. */
export function installProbe(): void {
  const probe: Probe = Object(globalThis)
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what runs in the page brings along what it uses
  const isThere = ({ heading, content, whole }: Sight): boolean => {
    if (document.querySelector('main h1')?.textContent !== heading) return false
    if (content !== undefined && document.querySelector(content) === null) return false
    return whole !== true || document.querySelector('main .waits:not(svg), main [aria-busy="true"]') === null
  }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what runs in the page brings along what it uses
  const painted = (): Promise<number> =>
    new Promise((done) => {
      // After the frame's own work a message comes first when the frame was handed over.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => done(performance.now()), { once: true })
      port1.start()
      requestAnimationFrame(() => port2.postMessage(undefined))
    })
  /** Milliseconds since `since`, else since the page was navigated to, until it is painted; NaN after a minute. */
  probe.seen = async (sight, since = 0) => {
    const until = performance.now() + 60_000
    while (performance.now() < until) {
      if (isThere(sight)) return (await painted()) - since
      // Without a frame of its own: one that is looked at before its paint would count as painted.
      await new Promise((done) => setTimeout(done, 4))
    }
    return Number.NaN
  }
  addEventListener('click', ({ timeStamp }) => (probe.clicked = timeStamp), true)

  const interactions = new Map<number, number>()
  probe.interactions = interactions
  probe.longTasks = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration } = Object.assign({ interactionId: 0 }, entry.toJSON())
      if (interactionId > 0) interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration))
    }
  }).observe(Object.assign({ type: 'event', buffered: true }, { durationThreshold: 16 }))
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longTasks?.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** Milliseconds from the beginning of the navigation until the sight was painted. */
export const firstSeen = (page: Page, sight: Sight): Promise<number> =>
  page.evaluate(async (wanted) => {
    const { seen }: Probe = Object(globalThis)
    return (await seen?.(wanted)) ?? Number.NaN
  }, sight)

/** Presses a link as a person does; milliseconds from the press until the sight was painted. */
export async function seenAfterClick(page: Page, link: string, sight: Sight): Promise<number> {
  await page.getByRole('navigation', { name: 'Septet' }).getByRole('link', { name: link, exact: true }).click()
  return page.evaluate(async (wanted) => {
    const { seen, clicked }: Probe = Object(globalThis)
    return (await seen?.(wanted, clicked)) ?? Number.NaN
  }, sight)
}

/** The same for a screen that no link leads to: the address changes as by the back button. */
export const seenAfterBack = (page: Page, path: string, sight: Sight): Promise<number> =>
  page.evaluate(
    async ({ to, wanted }) => {
      const { seen }: Probe = Object(globalThis)
      const since = performance.now()
      history.pushState(undefined, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
      return (await seen?.(wanted, since)) ?? Number.NaN
    },
    { to: path, wanted: sight },
  )

/** How long each interaction took until its next paint, those under 16 ms as 16 ms, and the tasks of 50 ms or more. */
export type Felt = { readonly interactions: readonly number[]; readonly longTasks: readonly number[] }

/** What was felt since this was asked last. */
export const felt = (page: Page): Promise<Felt> =>
  page.evaluate(async () => {
    // Entries are handed out after the next frame.
    await new Promise((done) => setTimeout(done, 500))
    const probe: Probe & { counted?: number } = Object(globalThis)
    const { interactionCount }: { interactionCount: number } = Object(performance)
    const noted = [...(probe.interactions?.values() ?? [])]
    const short = Math.max(0, interactionCount - (probe.counted ?? 0) - noted.length)
    const interactions = [...noted, ...Array.from({ length: short }, () => 16)]
    const longTasks = [...(probe.longTasks ?? [])]
    probe.counted = interactionCount
    probe.interactions?.clear()
    probe.longTasks?.splice(0)
    return { interactions, longTasks }
  })
