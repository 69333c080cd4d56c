import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { requestsOf, openLighthouse, type Lighthouse, type Report } from '../lighthouse.ts'
import { heavyTools, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'
import { without, systemTool } from '../system-tools.ts'

const PAGES = ['/', '/auth', '/compare', '/docs', '/receipts'] as const
type Path = (typeof PAGES)[number]

/** KiB of script over the line before anybody touches the page. */
const SCRIPT_BUDGETS = [
  ['/', 90],
  ['/auth', 120],
] as const

// The packaged browser runs in one process, where Lighthouse cannot measure.
const chromium = systemTool('chromium', 'chromium')

describe.skipIf(chromium === undefined)(
  `the production build, as Lighthouse sees it on a phone${without(chromium, 'chromium')}`,
  () => {
    let septet: SharedSeptet
    let lighthouse: Lighthouse
    const reports = new Map<Path, Report>()
    const reportOf = (path: Path): Report => {
      const report = reports.get(path)
      if (report === undefined) throw new Error(`there is no report of ${path}`)
      return report
    }

    beforeAll(async () => {
      // Times are for a benchmark: what is asked here does not depend on the machine.
      const categories = { onlyCategories: ['accessibility', 'best-practices', 'seo'] }
      // What a whole picture of the page would add is not asked for.
      const settings = {
        disableFullPageScreenshot: true,
        ...categories,
        onlyAudits: ['cumulative-layout-shift', 'network-requests'],
      }
      ;[septet, lighthouse] = await Promise.all([septetWithoutDemo(), openLighthouse(await heavyTools(), settings)])
      for (const path of PAGES) reports.set(path, await lighthouse.report(`${septet.url}${path}`))
    })
    afterAll(() => lighthouse?.close())

    describe.each(PAGES)('%s', (path) => {
      test('was looked at itself, not a page it leads to', () => {
        expect(reportOf(path).finalDisplayedUrl).toBe(`${septet.url}${path}`)
      })

      test.each(['accessibility', 'best-practices'])('%s: nothing to find', (category) => {
        expect(failuresOf(reportOf(path), category)).toEqual([])
        expect(reportOf(path).categories[category]?.score).toBe(1)
      })

      test('search engines: nothing to find', () => {
        // The sign-in page says itself that it is not for them, and that alone is what is found.
        const meant = path === '/auth' ? ['is-crawlable: Page is blocked from indexing'] : []
        expect(failuresOf(reportOf(path), 'seo')).toEqual(meant)
      })

      test('nothing moves while it loads', () => {
        const shift = reportOf(path).audits['cumulative-layout-shift']?.numericValue
        expect(shift).toBeLessThanOrEqual(0.01)
      })

      test('nothing comes from another origin', () => {
        const urls = requestsOf(reportOf(path)).map(({ url }) => url)
        expect(urls).toContain(`${septet.url}${path}`)
        expect(urls.filter((url) => new URL(url).origin !== septet.url && !url.startsWith('data:'))).toEqual([])
      })
    })

    test.each(SCRIPT_BUDGETS)('%s sends at most %d KiB of script before anybody touches it', async (path, budget) => {
      const requests = requestsOf(reportOf(path))
      const scripts = new Set(requests.map(({ url }) => url).filter((url) => new URL(url).pathname.endsWith('.js')))
      expect(scripts.size).toBeGreaterThan(1)
      // A worker's file may still be on its way when the record ends, so each is asked for once more.
      const sizes = await Promise.all([...scripts].map(bytesOf))
      expect(sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024).toBeLessThanOrEqual(budget)
    })
  },
)

/** The compressed length of a file, as it goes to every browser of today. */
async function bytesOf(url: string): Promise<number> {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
  expect(headers.get('content-encoding')).toBe('br')
  return Number(headers.get('content-length'))
}

/** What a category counts against a page. */
const failuresOf = ({ categories, audits }: Report, category: string): string[] =>
  (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title}`)
