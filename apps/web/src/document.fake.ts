import { configure } from '@testing-library/dom'

import { paintCanvases } from './canvas.fake.ts'

// What a document lacks that no browser shows: it lays nothing out, draws nothing and scrolls nowhere.

const WIDTH = 640
const HEIGHT = 32

class Resizes implements ResizeObserver {
  readonly #heard: ResizeObserverCallback
  constructor(heard: ResizeObserverCallback) {
    this.#heard = heard
  }
  observe(target: Element): void {
    const entry = { target, contentRect: target.getBoundingClientRect() }
    queueMicrotask(() => this.#heard([entry as ResizeObserverEntry], this))
  }
  unobserve(): void {}
  disconnect(): void {}
}

// Every element has one size, so that charts draw, and a long table shows as many rows as a window holds.
const { prototype } = HTMLElement
Object.defineProperties(prototype, {
  offsetWidth: { configurable: true, value: WIDTH },
  offsetHeight: { configurable: true, value: HEIGHT },
  clientWidth: { configurable: true, value: WIDTH },
  clientHeight: { configurable: true, value: HEIGHT },
})
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, WIDTH, 10 * HEIGHT)
Element.prototype.scrollIntoView = () => undefined
Element.prototype.scrollTo = () => undefined
Element.prototype.hasPointerCapture = () => false
globalThis.scrollTo = () => undefined
globalThis.ResizeObserver = Resizes
globalThis.matchMedia = (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} })
Object.assign(document, { fonts: { ready: Promise.resolve() } })
// Somebody who saves data: what other screens need is not fetched ahead, whenever a test comes to it.
Object.assign(navigator, { connection: { saveData: true } })
paintCanvases()

// On a busy machine a screen may take a while.
configure({ asyncUtilTimeout: 30_000 })
