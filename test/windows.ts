import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** What a browser keeps of somebody who is signed in, under the page's key for it. */
export type Session = { readonly key: string; readonly value: string }

type How = BrowserContextOptions & {
  readonly session?: Session
  /** Whether it shares nothing with any other, as one must whose clock is moved by hand. */
  readonly alone?: boolean
}

/** Gives windows of a browser. The one that opened it closes it. */
export type Windows = (how?: How) => Promise<Page>

/**
 * Windows of one browser. Those that are opened alike load the files of a page once; none knows what was kept in
 * another one.
 */
export function windowsOf(browser: Browser): Windows {
  const opened = new Map<string, Promise<BrowserContext>>()
  return async ({ alone = false, ...how } = {}) => {
    if (alone) return openAlone(browser, how)
    const key = JSON.stringify(how)
    const alike = opened.get(key) ?? openContext(browser, how)
    opened.set(key, alike)
    const context = await alike
    await context.clearCookies()
    return context.newPage()
  }
}

async function openAlone(browser: Browser, how: How): Promise<Page> {
  const context = await openContext(browser, how)
  const page = await context.newPage()
  // Its browser may be gone before it.
  page.once('close', () => void context.close().catch(() => undefined))
  return page
}

async function openContext(browser: Browser, { session, ...options }: How): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addInitScript(begin, session)
  return context
}

/** In a window's first document, what others left behind is not there. Runs in the page. */
function begin(session: Session | undefined): void {
  const mark = 'window-of-a-test'
  if (sessionStorage.getItem(mark) !== null) return
  localStorage.clear()
  sessionStorage.setItem(mark, '')
  if (session !== undefined) localStorage.setItem(session.key, session.value)
}
