import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

import { openBrowser, webFolder } from '../../shared/shared.ts'
import { openFixtureServer, type FixtureServer } from './fixture-server.ts'

type Fixtures = { readonly browser: Browser; readonly server: FixtureServer }

/** A browser and a server of the page for the tests of a file: handed over before the first, closed after the last. */
export function withFixtures(ready: (opened: Fixtures) => void): void {
  let opened: Fixtures | undefined
  beforeAll(async () => {
    const dist = await webFolder()
    opened = { browser: await openBrowser(), server: await openFixtureServer(dist) }
    ready(opened)
  })
  afterAll(async () => {
    await opened?.browser.close()
    await opened?.server.close()
  })
}
