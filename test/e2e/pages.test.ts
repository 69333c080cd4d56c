import { beforeAll, describe, expect, test } from 'vitest'

import { eventually } from '../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../shared/shared.ts'

let septet: SharedSeptet

beforeAll(async () => {
  septet = await demoSeptet()
})

describe('pages of the real server in a real browser', () => {
  test.each([
    ['/', 200],
    ['/auth', 200],
    ['/demo', 200],
    ['/dashboard', 302],
    ['/api', 200],
    ['/logo.svg', 200],
    ['/no-such-page', 404],
    ['/api/v1/no-such-operation', 404],
    ['/assets/no-such-file.js', 404],
  ])('%s answers %d', async (path, status) => {
    expect((await fetch(`${septet.url}${path}`, { redirect: 'manual' })).status).toBe(status)
  })

  test('a visitor sees live figures of the demo cluster on the dashboard, and nothing breaks the security policy', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${septet.url}/demo`)
      await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor()
      // It says what it is, where to sign in, and has nothing to set.
      await page.getByText('Live demo, read only').locator('visible=true').waitFor()
      expect(await page.getByRole('link', { name: 'Sign in' }).first().getAttribute('href')).toBe('/auth')
      expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
      await page
        .getByText(/^\d+ running/u)
        .first()
        .waitFor({ timeout: 60_000 })
      await page.getByText('MIG Partition Status').waitFor()
      await page.getByRole('img', { name: /A100/u }).first().waitFor({ timeout: 60_000 })
      const asOf = async () => /as of\s*(\d\d:\d\d:\d\d)/u.exec((await page.textContent('body')) ?? '')?.[1]
      const before = await eventually(asOf, (time) => time !== undefined)
      await eventually(asOf, (time) => time !== undefined && time !== before)
      expect(complaints.filter((text) => !text.includes('503'))).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
