import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** Starts the system's Chromium, else the one that comes as a package. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const system = SYSTEM.find((path) => existsSync(path))
  if (system !== undefined) return chromium.launch({ executablePath: system, args: QUIET })
  const packaged = (await import('@sparticuz/chromium')).default
  return chromium.launch({ executablePath: await packaged.executablePath(), args: [...packaged.args, ...QUIET] })
}
