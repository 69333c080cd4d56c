// `node scripts/demo-loop.mjs`: records a plan being approved and verified on the demo cluster, as the site shows it: an
// animation and a still for each theme. To be run again, by hand, when the screens of actions change.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { animatedWebp } from './parts/animated-webp.mjs'
import { root } from './parts/root.mjs'
import { openPictured } from './parts/start-pictured.mjs'

const { values } = parseArgs({ options: { chromium: { type: 'string' } } })

const VIEW = { width: 1120, height: 700 }
const SCALE = 0.8571428571428571 // 960 × 600
const SIZE = { width: 960, height: 600 }
const THEMES = ['light', 'dark']
const LOOP_MS = 20_000
/** Whoever reads needs so long for the plan, and for what is asked before it is approved. */
const READING_MS = 3500
const BUDGET_BYTES = 1024 * 1024
const QUALITY = 0.7
const ACCOUNT = { email: 'admin@septet.local', password: 'a long enough password' }
const folder = join(root, 'apps/web/public/screenshots')

const { url, browser, close } = await openPictured(values)
try {
  const session = await signIn()
  const action = await propose(session)
  const shots = await record(session, action)
  for (const theme of THEMES) await write(theme, shots)
} finally {
  await close()
}

async function signIn() {
  await postAccount('signup')
  const answer = await postAccount('token?grant_type=password')
  if (!answer.ok) throw new Error(`could not sign in: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

function postAccount(path) {
  return fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
}

/** Reads what is at a path, or where a body is given sends it there. */
async function ask({ access_token: token }, path, { method = 'GET', body } = {}) {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** The first cut that the demo cluster is advised to make waits for a decision from then on. */
async function propose(session) {
  const { policy } = await ask(session, 'act-policy?cluster=demo')
  const modes = { ...policy.modes, repartition: 'approve' }
  await ask(session, 'act-policy', { method: 'PUT', body: { cluster: 'demo', policy: { ...policy, modes } } })
  for (let waited = 0; waited < 300_000; waited += 2000) {
    const { recommendations } = await ask(session, 'recommendations?cluster=demo&kind=repartition').catch(() => ({
      recommendations: [],
    }))
    for (const { id } of recommendations) {
      const made = await ask(session, 'actions', {
        method: 'POST',
        body: { cluster: 'demo', recommendation: id },
      }).catch(() => undefined)
      if (made?.state === 'proposed') return made.id
    }
    await sleep(2000)
  }
  throw new Error('the demo cluster was not advised to cut a GPU within five minutes')
}

/** What is seen in both themes at each moment, and for how long: waiting that changes nothing is cut short. */
async function record(session, action) {
  const context = await browser.newContext({ viewport: VIEW, deviceScaleFactor: SCALE, reducedMotion: 'reduce' })
  const kept = JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + session.expires_in })
  await context.addInitScript((value) => localStorage.setItem('septet-auth', value), kept)
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const shots = []
  const shoot = async (milliseconds) => {
    const pictures = {}
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      await sleep(150)
      pictures[theme] = await page.screenshot()
    }
    shots.push({ pictures, milliseconds })
  }
  await page.goto(`${url}/dashboard/actions?cluster=demo&action=${encodeURIComponent(action)}`)
  const card = page.getByRole('dialog')
  const approve = card.getByRole('button', { name: 'Approve…' })
  await approve.waitFor()
  await shoot(READING_MS)
  await approve.click()
  const really = card.getByRole('button', { name: /^Approve, / })
  await really.waitFor()
  await really.scrollIntoViewIfNeeded()
  await shoot(READING_MS)
  await really.click()
  let state = 'proposed'
  for (let waited = 0; waited < 400_000; waited += 1000) {
    const { action: now } = await ask(session, `actions/${action}?cluster=demo`)
    await shoot(1000)
    if (now.state !== state) await card.evaluate((element) => element.scrollTo({ top: 0 }))
    state = now.state
    if (['verified', 'kept', 'reverted', 'failed'].includes(state)) break
    await sleep(500)
  }
  if (state !== 'verified' && state !== 'kept') throw new Error(`the plan ended as ${state}`)
  await sleep(1500)
  await shoot(READING_MS)
  await context.close()
  return shortened(shots)
}

/** Scaled so that the loop is as long as it may be: what is read keeps its time, and what is waited for shares the rest. */
function shortened(shots) {
  const waits = shots.filter(({ milliseconds }) => milliseconds !== READING_MS)
  const left = LOOP_MS - (shots.length - waits.length) * READING_MS
  return shots.map((shot) =>
    shot.milliseconds === READING_MS
      ? shot
      : { ...shot, milliseconds: Math.min(shot.milliseconds, left / waits.length) },
  )
}

async function write(theme, shots) {
  const frames = await encode(shots.map(({ pictures }) => pictures[theme].toString('base64')))
  const timed = []
  for (const [index, frame] of frames.entries()) {
    const { milliseconds } = shots[index]
    if (frame === undefined) timed.at(-1).milliseconds += milliseconds
    else timed.push({ ...frame, webp: Buffer.from(frame.data, 'base64'), milliseconds })
  }
  const loop = animatedWebp(SIZE, timed)
  if (loop.length > BUDGET_BYTES) throw new Error(`the loop takes ${loop.length} bytes, more than ${BUDGET_BYTES}`)
  writeFileSync(join(folder, `plan-loop-${theme}.webp`), loop)
  const [still] = await encode([shots.at(-1).pictures[theme].toString('base64')])
  writeFileSync(join(folder, `plan-still-${theme}.webp`), Buffer.from(still.data, 'base64'))
  const seconds = timed.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  console.log(`${theme}: ${timed.length} frames, ${seconds.toFixed(1)} s, ${Math.round(loop.length / 1024)} KiB`)
}

/** The first picture whole, of the others what differs from the one before; undefined where they are alike. */
async function encode(pictures) {
  const page = await browser.newPage()
  const frames = []
  for (const [index, after] of pictures.entries()) {
    const frame = await page.evaluate(changedPart, { before: pictures[index - 1], after, quality: QUALITY, ...SIZE })
    frames.push(frame ?? undefined)
  }
  await page.close()
  return frames
}

/** The smallest part that holds all that changed, as WebP by the browser's own encoder. Runs in the page. */
async function changedPart({ before, after, quality, width, height }) {
  const [was, is] = [before, after].map((picture) =>
    Object.assign(new Image(), { src: `data:image/png;base64,${picture ?? after}` }),
  )
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  const pixels = []
  for (const image of [was, is]) {
    await image.decode()
    context.drawImage(image, 0, 0, width, height)
    pixels.push(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer))
  }
  const [old, now] = pixels
  const changed = [...now.keys()].filter((at) => before === undefined || now[at] !== old[at])
  if (changed.length === 0) return null
  const across = changed.map((at) => at % width)
  const down = changed.map((at) => Math.floor(at / width))
  const [firstX, lastX] = [across.reduce((a, b) => Math.min(a, b)), across.reduce((a, b) => Math.max(a, b))]
  // A frame begins at even places.
  const [x, y] = [firstX - (firstX % 2), down[0] - (down[0] % 2)]
  const part = { x, y, width: lastX - x + 1, height: down.at(-1) - y + 1 }
  const cut = Object.assign(document.createElement('canvas'), { width: part.width, height: part.height })
  cut.getContext('2d', { alpha: false }).drawImage(canvas, -x, -y)
  const address = cut.toDataURL('image/webp', quality)
  if (!address.startsWith('data:image/webp')) throw new Error('this browser does not write WebP')
  return { ...part, data: address.slice(address.indexOf(',') + 1) }
}
