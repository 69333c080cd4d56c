// `node scripts/screenshots.mjs [--url http://127.0.0.1:7070]`: takes the pictures of the product that the site shows, of a
// Septet of its own or of one that runs. To be run again, by hand, when the screens change.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { root } from './parts/root.mjs'
import { openPictured } from './parts/start-pictured.mjs'

const { values } = parseArgs({
  options: { url: { type: 'string' }, chromium: { type: 'string' } },
})

/** What is taken: a picture has the name of its source, because that is what its label says. */
const SHOTS = [
  { name: 'summary-demo', query: 'cluster=demo&range=24h', view: { width: 1280, height: 940 } },
  { name: 'summary-sample', query: 'cluster=sample', view: { width: 1280, height: 940 } },
  {
    name: 'partitions-demo',
    query: 'cluster=demo',
    view: { width: 1120, height: 3600 },
    panel: 'MIG Partition Status',
  },
]
const THEMES = ['light', 'dark']
const SCALE = 1.5
/** A phone gets pictures of its own, of what its screen shows first: a wide one is unreadable there. */
const PHONE = { width: 390, height: 520 }
const PHONE_SCALE = 2
const QUALITY = 0.8
const BUDGET_BYTES = 800 * 1024

const folder = join(root, 'apps/web/public/screenshots')
const content = join(root, 'apps/web/content/screenshots.json')

const { url, browser, close } = await openPictured(values)
try {
  const app = await appPath()
  mkdirSync(folder, { recursive: true })
  const taken = []
  for (const shot of SHOTS)
    for (const theme of THEMES) taken.push(await take(shot, theme, app), await take(phoneOf(shot), theme, app))
  const bytes = taken.reduce((sum, { size }) => sum + size, 0)
  if (bytes > BUDGET_BYTES) throw new Error(`the pictures take ${bytes} bytes, more than ${BUDGET_BYTES}`)
  writeFileSync(content, contentFile(taken))
  console.log(`${taken.length} pictures of ${app}, ${Math.round(bytes / 1024)} KiB, in ${folder}`)
} finally {
  await close()
}

/** The public demo needs no account; a Septet without one shows its dashboard at its own address. */
async function appPath() {
  const answer = await fetch(`${url}/demo`, { redirect: 'manual' })
  return `${url}${answer.status === 200 ? '/demo' : '/dashboard'}`
}

function phoneOf({ name, view, ...shot }) {
  const height = shot.panel === undefined ? PHONE.height : view.height
  return { ...shot, name: `${name}-phone`, view: { ...PHONE, height }, scale: PHONE_SCALE }
}

async function take({ name, query, view, panel, scale = SCALE }, theme, app) {
  const page = await browser.newPage({
    viewport: view,
    deviceScaleFactor: scale,
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  await page.goto(`${app}?${query}`)
  await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor({ timeout: 60_000 })
  // The chart is the last part to load; a cluster's past may still be on its way to it.
  await page.locator('.recharts-surface').first().waitFor({ timeout: 120_000 })
  await page.getByText('Reading past usage').waitFor({ state: 'detached', timeout: 600_000 })
  await page.evaluate(() => document.fonts.ready)
  await sleep(1500)
  const png = panel === undefined ? await page.screenshot() : await panelPicture(page, panel)
  await page.close()
  const webp = await encode(png)
  writeFileSync(join(folder, `${name}-${theme}.webp`), webp)
  return { name, theme, size: webp.length, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/** The panel as a whole, or on a phone its upper part, as high as the other phone pictures. */
async function panelPicture(page, panel) {
  const region = page.getByRole('region', { name: panel })
  if (page.viewportSize().width > PHONE.width) return region.screenshot()
  const { x, y, width } = await region.boundingBox()
  return page.screenshot({ fullPage: true, clip: { x, y, width, height: (width * PHONE.height) / PHONE.width } })
}

/** PNG to WebP, by the browser's own encoder. */
async function encode(png) {
  const page = await browser.newPage()
  const address = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [`data:image/png;base64,${png.toString('base64')}`, QUALITY],
  )
  await page.close()
  if (!address.startsWith('data:image/webp')) throw new Error('this browser does not write WebP')
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

/** Their size in pixels, by name. */
function contentFile(taken) {
  const sizes = taken.map(({ name, width, height }) => [name, { width, height }])
  return `${JSON.stringify(Object.fromEntries(sizes), undefined, 2)}\n`
}
