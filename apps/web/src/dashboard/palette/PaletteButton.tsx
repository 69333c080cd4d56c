import { lazy, Suspense, useEffect, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { SearchIcon } from '../../ui/dashboard-icons.tsx'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** Opens the palette, as ⌘K and Ctrl-K do from anywhere. */
export function PaletteButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  return (
    <>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
        title={`Find anything (${IS_MAC ? '⌘K' : 'Ctrl K'})`}
        className="min-h-8 max-[1400px]:size-8 max-[1400px]:px-0"
      >
        <SearchIcon />
        <span className="max-[1400px]:sr-only">Find</span>
        <kbd
          aria-hidden
          className="rounded-[4px] border border-line px-1 font-mono text-12 text-ink-quiet max-[1400px]:hidden"
        >
          {IS_MAC ? '⌘K' : 'Ctrl K'}
        </kbd>
      </Button>
      {open && (
        <Suspense>
          <Palette close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const IS_MAC = /mac|iphone|ipad/iu.test(navigator.userAgent)
