import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openBrowser, webFolder } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'
import { type FixtureServer, openFixtureServer } from './dashboard/fixture-server.ts'

/** How long the landing page may be, in pixels, and how many words of it may be seen before anything is unfolded. */
const LIMITS = [
  { width: 1280, height: 800, pixels: 7200, words: 1800 },
  { width: 360, height: 740, pixels: 12_000, words: 1800 },
] as const

let browser: Browser
let open: Windows
let server: FixtureServer

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

async function onLanding<Seen>(viewport: { width: number; height: number }, look: (page: Page) => Promise<Seen>) {
  const page = await open({ viewport })
  try {
    await page.goto(`${server.url}/index.html`)
    await page.evaluate(async () => {
      await document.fonts.ready
      for (const section of document.querySelectorAll('.later')) section.classList.remove('later')
    })
    return await look(page)
  } finally {
    await page.close()
  }
}

const sizeOf = (page: Page): Promise<{ pixels: number; words: number }> =>
  page.evaluate(() => {
    const pixels = document.documentElement.scrollHeight
    // What only screen readers are told is not seen.
    for (const told of document.querySelectorAll<HTMLElement>('.sr-only')) told.style.display = 'none'
    return { pixels, words: document.body.innerText.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length }
  })

/** Commands that are cut off, or broken inside a word, by the width of their field. */
const cutCommands = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main code, main pre')].flatMap((code) =>
      code.checkVisibility() && code.scrollWidth > code.clientWidth + 1 && code.clientWidth > 0 ? [code.innerText] : [],
    ),
  )

describe.each(LIMITS)('the landing page, $width pixels wide', ({ width, height, pixels, words }) => {
  test(`is at most ${pixels} pixels long, with at most ${words} words`, async () => {
    const size = await onLanding({ width, height }, sizeOf)
    expect(size.pixels).toBeLessThanOrEqual(pixels)
    expect(size.words).toBeLessThanOrEqual(words)
    expect(size.words).toBeGreaterThan(500)
  })

  test('cuts no command off', async () => {
    expect(await onLanding({ width, height }, cutCommands)).toEqual([])
  })
})
