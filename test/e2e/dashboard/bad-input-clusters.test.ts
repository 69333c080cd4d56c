import { afterAll, beforeAll, expect, test } from 'vitest'

import { of, oddClusters } from './odd-clusters.ts'
import { openScreens, screen, SCREENS, type Screens } from './open-screens.ts'

// Every screen over clusters with nothing or next to nothing in them, answered by the server itself.

let screens: Screens
beforeAll(async () => {
  screens = await openScreens(oddClusters())
})
afterAll(() => screens?.close())

/** A share or an amount of 0, which would be a claim about what is not there. */
const ZERO = /(?<![\d.])0(?:\.0)?\s?%|\$0(?:\.00)?(?!\d)/u

// One window walks every screen, which is much quicker than a window for each.
test.each(['empty', 'without-gpus'])(
  'a cluster "%s" has no share and no amount, and every screen says why',
  (cluster) =>
    screens.visit({}, async (page) => {
      for (const path of SCREENS) {
        const text = await screen(page, screens, of(cluster, path))
        expect(`${path}: ${text}`).not.toMatch(ZERO)
        expect(`${path}: ${text}`).toMatch(SAYS[path])
      }
    }),
)

const SAYS = {
  '': /No node of \S+ offers GPUs/u,
  '/fleet': /No GPU to show/u,
  '/fleet?view=table': /No GPU to show/u,
  '/partitions': /No GPU here is in MIG mode/u,
  '/partitions?view=room': /No GPU in this cluster supports MIG/u,
  '/partitions?view=stranded': /No GPU here is in MIG mode/u,
  '/workloads': /No workload is running on a GPU or waiting for one/u,
  '/cost': /Nothing was seen in this window/u,
  '/cost?view=budgets': /No budgets for this cluster yet/u,
  '/cost?view=prices': /No GPU was seen in this window/u,
  '/actions': /No recommendations yet/u,
  '/actions/savings': /No savings yet/u,
  '/actions/what-if': /No usage is stored yet/u,
  '/actions/what-if?from=now': /No node in this cluster has a GPU/u,
  '/alerts': /No alerts firing/u,
} satisfies Record<(typeof SCREENS)[number], RegExp>

test('one GPU fills every screen', () =>
  screens.visit({}, async (page) => {
    for (const path of SCREENS) await screen(page, screens, of('one', path))
    expect(await screen(page, screens, of('one', '/fleet'))).toContain('1 GPU')
    expect(await screen(page, screens, of('one', '/cost'))).toMatch(/Unallocated\s+−\$[\d.]+\s+100\.0%/u)
    expect(await screen(page, screens, of('one', '/partitions?view=room'))).toContain('1 GPU with room')
  }))
