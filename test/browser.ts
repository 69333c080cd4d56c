import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserServer } from 'playwright-core'
import { z } from 'zod'

import { importTool, installTools } from './install-tools.ts'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without what surrounds a page, which nobody sees here: a window of it takes much less to open. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell'

/**
 * What Playwright turns off, whose list is replaced by a second one, and the lists that drop down from the address bar: each
 * window prepares them in a process of their own, which takes half a second, and nobody sees them here. And what makes a
 * window that is closed while its next page arrives stay open for ever (crbug.com/536385539).
 */
const OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'RenderDocument',
]

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

/**
 * Starts the system's Chromium, else the one that comes as a package. `port` is one at which other tools may drive it too.
 * The caller closes it.
 */
export async function launchBrowser(port?: number): Promise<Browser> {
  return chromium.launch(await howToLaunch(SYSTEM, port === undefined ? [] : [`--remote-debugging-port=${port}`]))
}

/** The lightest that is there as a server, to which any number of processes connect. The caller closes it. */
export async function serveBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ host: '127.0.0.1', ...(await howToLaunch([SHELL, ...SYSTEM])) })
}

/** The system's with a profile of one's own, for what only a browser's settings can do. The caller closes it. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, await howToLaunch(SYSTEM))
}

async function howToLaunch(
  choices: readonly string[],
  more: readonly string[] = [],
): Promise<{ executablePath: string; args: string[] }> {
  const system = choices.find((path) => existsSync(path))
  if (system !== undefined)
    return { executablePath: system, args: [...QUIET, `--disable-features=${OFF.join(',')}`, ...more] }
  const { default: packaged } = PackagedSchema.parse(
    await importTool(await installTools(), '@sparticuz/chromium/build/index.js'),
  )
  return { executablePath: await packaged.executablePath(), args: [...packaged.args, ...QUIET, ...more] }
}

const PackagedSchema = z.object({
  default: z.custom<{ readonly args: readonly string[]; executablePath(): Promise<string> }>(),
})
