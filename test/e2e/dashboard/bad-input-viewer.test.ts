import { afterAll, beforeAll, expect, test } from 'vitest'

import { of, oddClusters } from './odd-clusters.ts'
import { openScreens, screen, SCREENS, SETTINGS, VIEWER, type Screens } from './open-screens.ts'

// Every screen for somebody who may see one namespace of a cluster, which is half of one GPU there.

let screens: Screens
beforeAll(async () => {
  screens = await openScreens(oddClusters())
})
afterAll(() => screens?.close())

test('shows what is theirs, names nobody else, and refuses with the role or the namespace it takes', () =>
  screens.visit({ as: VIEWER }, async (page) => {
    for (const path of [...SCREENS, ...SETTINGS, '/clusters']) {
      const text = await screen(page, screens, of('strange', path))
      expect(`${path}: ${text}`).not.toMatch(/z-1|waits-1|train\b/u)
      expect([path, text.length > 100]).toEqual([path, true])
      const refusals = text.split('Not for your role').slice(1)
      const unsaid = refusals.filter(
        (words) => !/requires the (?:operator|admin) role|may see the namespace/u.test(words),
      )
      expect([path, unsaid]).toEqual([path, []])
    }
  }))

test('no total is of the whole cluster, and what cannot be known of a part is not told as 0', () =>
  screens.visit({ as: VIEWER }, async (page) => {
    const cost = await screen(page, screens, of('strange', '/cost'))
    expect(cost).toMatch(/Held\s+\$[\d.]+\s+100\.0%\s+of what was held/u)
    expect(cost).not.toMatch(/Unallocated|Stranded|of the capacity/u)
    const summary = await screen(page, screens, of('strange', ''))
    expect(summary).toMatch(/Active Workloads\s+2\s+1 running · 1 queued/u)
    // Nothing was measured, so no part that needs telemetry has a figure.
    expect(summary).toMatch(/Idle-held\s+Not measured/u)
    const partitions = await screen(page, screens, of('strange', '/partitions'))
    expect(partitions).not.toMatch(/\b0\s+of 7/u)
    const stranded = await screen(page, screens, of('strange', '/partitions?view=stranded'))
    expect(stranded).toContain('counted over whole GPUs')
    expect(stranded).not.toContain('every free slice fits some profile')
  }))
