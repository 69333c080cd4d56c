import { describe, expect, onTestFinished, test } from 'vitest'

// Drawn clusters are for tests only, so they are not exported.
import { holdScenarios, openBeforeTests, visit } from './actions-page.ts'

openBeforeTests()

describe('recommendations', () => {
  test('the largest idle holders without an action stand below, each with why', () =>
    visit({ path: '/dashboard/actions' }, async (page) => {
      const list = page.getByRole('region', { name: 'Largest idle holders without an action' })
      await list.getByText('lab/Deployment/encoder', { exact: true }).waitFor()
      await list.getByText('Right size already', { exact: true }).waitFor()
      await list.getByText('Fewer GPUs: it holds one device only.').waitFor()
      await expect.poll(() => list.getByText('85 GPU-h idle, $293').isVisible()).toBe(true)
    }))

  test('a narrow screen leaves out the lines that have nothing to say', () =>
    visit({ path: '/dashboard/actions', viewport: { width: 360, height: 780 } }, async (page) => {
      const rows = page.getByRole('table', { name: 'Recommendations, best first' })
      await rows.getByText('$2,190/mo', { exact: true }).waitFor()
      const nothing = rows.getByText('–', { exact: true })
      await expect.poll(() => nothing.isVisible()).toBe(false)
      await page.setViewportSize({ width: 1280, height: 780 })
      await expect.poll(() => nothing.isVisible()).toBe(true)
    }))
})

describe('what if', () => {
  test('one that is cancelled ends on the server too', () =>
    visit({ path: '/dashboard/actions/what-if' }, async (page) => {
      holdScenarios(true)
      onTestFinished(() => holdScenarios(false))
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText(/50 of about 100 events/u).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect((await deleted).status()).toBe(200)
      await page.getByRole('button', { name: 'Compare' }).waitFor()
    }))
})
