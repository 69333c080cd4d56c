import type { Page } from 'playwright-core'

type Movable = { move?: (x: number, y: number) => void }

/** Runs in a page that offers `window.move(x, y)`: a step in each frame, in a slow circle, so that new parts of the map come into view all the time. */
export function moveAbout(seconds: number): Promise<number[]> {
  const movable: Movable = Object(globalThis)
  return new Promise((done) => {
    const frames: number[] = []
    let last = performance.now()
    const until = last + seconds * 1000
    const step = (now: number): void => {
      frames.push(now - last)
      last = now
      const angle = frames.length / 60
      movable.move?.(14 * Math.cos(angle), 14 * Math.sin(angle))
      if (now < until) requestAnimationFrame(step)
      else done(frames.slice(2))
    }
    requestAnimationFrame(step)
  })
}

const ONE_TURN = -175

/**
 * Zooms the map of an open page in around the middle and has the page offer `window.move`. Tells how wide a bar of 8
 * memory slices is then.
 */
export async function zoomedMap(page: Page, turns: number): Promise<number> {
  const map = page.getByTestId('fleet-map')
  await map.waitFor()
  await page.waitForTimeout(1500)
  await map.evaluate(
    (element, { times, delta }) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }
      for (let turn = 0; turn < times; turn += 1) {
        element.dispatchEvent(new WheelEvent('wheel', { ...at, ctrlKey: true, deltaY: delta }))
      }
      Object.assign(globalThis, {
        move: (deltaX: number, deltaY: number) =>
          element.dispatchEvent(new WheelEvent('wheel', { ...at, deltaX, deltaY })),
      })
    },
    { times: turns, delta: ONE_TURN },
  )
  await page.waitForTimeout(1500)
  return Math.exp(-ONE_TURN * 0.004 * turns)
}
