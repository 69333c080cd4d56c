import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

import { openBrowser, webFolder } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'
import { type FixtureServer, openFixtureServer } from './dashboard/fixture-server.ts'

export const SECTIONS = ['#copilot', '#mig', '#integration', '#platforms', '#mcp', '#agentic-ai', '#analytics']

let browser: Browser
let open: Windows
let server: FixtureServer

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    const dist = await webFolder()
    browser = await openBrowser()
    open = windowsOf(browser)
    server = await openFixtureServer(dist)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
}

/** Opens the landing page, hands it over, and fails on any error that the page itself throws. */
export async function visit(context: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await open({ ...context, alone: true })
  page.setDefaultTimeout(60_000)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && thrown.push(message.text())))
  try {
    await page.clock.install({ time: 0 })
    await page.goto(`${server.url}/index.html`)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

/** Shows the co-pilot demo until it plays, and stops the clock: from here on only `runFor` moves it. */
export async function standStill(page: Page): Promise<void> {
  await page.locator('#copilot').scrollIntoViewIfNeeded()
  // What only a playing demo has: it is not part of the HTML that comes from the server.
  await page.locator('#copilot [data-thinking]').waitFor({ state: 'attached' })
  await page.clock.pauseAt(3_600_000)
}

type Seen = { readonly category: string; readonly prompt: boolean; readonly thinking: boolean; readonly typed: number }

/** What is seen of the active card. */
export const seen = async (page: Page): Promise<Seen> => {
  const card = page.locator('#copilot article[data-active=true]')
  return card.evaluate((article) => {
    const [question, answer] = article.querySelectorAll('p')
    const text = (selector: string): string => answer?.querySelector(selector)?.textContent ?? ''
    return {
      category: article.querySelector('label')?.textContent ?? '',
      prompt: question?.className.includes('opacity-0') === false,
      thinking: article.querySelector('[data-thinking]') !== null,
      typed: text(':scope > span[aria-hidden]').length - text('span[aria-hidden] .opacity-0').length,
    }
  })
}

export const choose = (page: Page, category: string): Promise<void> =>
  page.getByRole('radio', { name: new RegExp(`^${category}:`, 'u') }).click({ force: true })

export const watch = (page: Page) => page.getByRole('button', { name: 'Watch a plan run' })
export const recording = (page: Page) => page.locator('#agentic-ai figure img')
