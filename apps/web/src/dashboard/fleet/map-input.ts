import type { MapControl } from './map-control.ts'
import type { Direction } from './map-steps.ts'
import type { Point } from './map-view.ts'

/** Pixels that a finger or a mouse may move and still have meant a press. */
const STILL = 5
/** Pixels of an arrow key's move with shift held. */
const STRIDE = 80

/** Lets pointer, wheel, fingers and keys move the map. The function returned ends it. */
export function listenToMap(element: HTMLElement, control: MapControl): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const at = (event: { clientX: number; clientY: number }): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const drag = makeDrag(control, at)
  element.addEventListener('pointerdown', (event) => drag.down(event, element), { signal })
  element.addEventListener('pointermove', drag.move, { signal })
  element.addEventListener('pointerup', drag.up, { signal })
  element.addEventListener('pointercancel', drag.cancel, { signal })
  element.addEventListener('pointerleave', () => control.point(undefined), { signal })
  element.addEventListener('wheel', (event) => turn(event, control, at(event)), { signal, passive: false })
  element.addEventListener('keydown', (event) => press(event, control), { signal })
  element.addEventListener('focus', () => element.matches(':focus-visible') && control.step('here'), { signal })
  element.addEventListener('blur', () => control.leave(), { signal })
  return () => stop.abort()
}

type Drag = {
  readonly down: (event: PointerEvent, element: HTMLElement) => void
  readonly move: (event: PointerEvent) => void
  readonly up: (event: PointerEvent) => void
  readonly cancel: (event: PointerEvent) => void
}

/** One pointer drags, two pinch, and one that stays where it went down presses. */
function makeDrag(control: MapControl, at: (event: PointerEvent) => Point): Drag {
  const pointers = new Map<number, Point>()
  let moved = 0
  const cancel = (event: PointerEvent): void => void pointers.delete(event.pointerId)
  return {
    down: (event, element) => {
      if (event.button !== 0) return
      if (pointers.size === 0) moved = 0
      pointers.set(event.pointerId, at(event))
      element.setPointerCapture(event.pointerId)
    },
    move: (event) => {
      const now = at(event)
      const before = pointers.get(event.pointerId)
      if (before === undefined) return control.point(now)
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      moved += Math.hypot(now.x - before.x, now.y - before.y)
      pointers.set(event.pointerId, now)
      if (other !== undefined) {
        control.zoom(apart(now, other) / Math.max(1, apart(before, other)), middle(now, other))
        control.pan({ x: (before.x - now.x) / 2, y: (before.y - now.y) / 2 })
      } else if (moved > STILL) {
        control.point(undefined)
        control.pan({ x: before.x - now.x, y: before.y - now.y })
      }
    },
    up: (event) => {
      const isPress = pointers.size === 1 && pointers.has(event.pointerId) && moved <= STILL
      cancel(event)
      if (isPress) control.open(at(event))
    },
    cancel,
  }
}

const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/** With ctrl (and by pinching on a touchpad, which browsers tell as that) the wheel zooms; else it moves the map, then the page. */
function turn(event: WheelEvent, control: MapControl, at: Point): void {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault()
    control.zoom(Math.exp(-event.deltaY * unit * 0.004), at)
    return
  }
  const sideways = event.shiftKey && event.deltaX === 0
  const by = sideways ? { x: event.deltaY * unit, y: 0 } : { x: event.deltaX * unit, y: event.deltaY * unit }
  if (control.pan(by)) event.preventDefault()
}

const ARROWS: Readonly<Record<string, { readonly to: Direction; readonly by: Point }>> = {
  ArrowLeft: { to: 'left', by: { x: -STRIDE, y: 0 } },
  ArrowRight: { to: 'right', by: { x: STRIDE, y: 0 } },
  ArrowUp: { to: 'up', by: { x: 0, y: -STRIDE } },
  ArrowDown: { to: 'down', by: { x: 0, y: STRIDE } },
}
const KEYS: Readonly<Record<string, (control: MapControl) => void>> = {
  '+': (control) => control.zoom(1.4),
  '=': (control) => control.zoom(1.4),
  '-': (control) => control.zoom(1 / 1.4),
  '0': (control) => control.fit(),
  Home: (control) => control.step('first'),
  End: (control) => control.step('last'),
  Enter: (control) => control.openFocused(),
  ' ': (control) => control.openFocused(),
  Escape: (control) => control.leave(),
}

/** Arrow keys go from GPU to GPU, with shift they move the map; plus, minus and 0 zoom; Enter opens. */
function press(event: KeyboardEvent, control: MapControl): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const arrow = ARROWS[event.key]
  const act = KEYS[event.key]
  if (arrow === undefined && act === undefined) return
  event.preventDefault()
  if (arrow === undefined) act?.(control)
  else if (event.shiftKey) control.pan(arrow.by)
  else control.step(arrow.to)
}
