// In place of a picture a canvas remembers how much was painted on it.

const painted = new WeakMap<object, number>()

/** How many areas were filled on a canvas since it was blank, those of the pictures put on it included. */
export const areasOn = (canvas: object): number => painted.get(canvas) ?? 0

/** Gives every canvas a brush. */
export function paintCanvases(): void {
  const brushes = new WeakMap<object, unknown>()
  function getContext(this: object): unknown {
    const brush = brushes.get(this) ?? brushOf(this)
    brushes.set(this, brush)
    return brush
  }
  Object.assign(HTMLCanvasElement.prototype, { getContext })
  class Offscreen {
    getContext = getContext
    /** The picture, after which the canvas is blank. */
    transferToImageBitmap(): object {
      const bitmap = { close: () => undefined }
      painted.set(bitmap, areasOn(this))
      painted.delete(this)
      return bitmap
    }
  }
  Object.assign(globalThis, { OffscreenCanvas: Offscreen, Path2D: Anything, DOMMatrix: Anything })
}

function brushOf(canvas: object): object {
  const add = (areas: number): void => void painted.set(canvas, areasOn(canvas) + areas)
  return obliging({
    canvas,
    fillRect: () => add(1),
    fill: () => add(1),
    drawImage: (image: object) => add(areasOn(image)),
    clearRect: () => painted.delete(canvas),
    measureText: (text: string) => ({ width: 7 * text.length }),
    createPattern: () => ({ setTransform: () => undefined }),
  })
}

function Anything(): object {
  return obliging({})
}

/** What it is asked beyond what it can leaves nothing. */
const obliging = (able: object): object =>
  new Proxy(able, { get: (known, name) => (name in known ? Reflect.get(known, name) : () => undefined) })
