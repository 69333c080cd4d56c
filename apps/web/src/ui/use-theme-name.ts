import { useSyncExternalStore } from 'react'

/** `light` or `dark`, whichever is in force; what is drawn on a canvas must be drawn again when it changes. */
export const useThemeName = (): 'light' | 'dark' => useSyncExternalStore(subscribe, themeName)

const SYSTEM = '(prefers-color-scheme: dark)'

function themeName(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return matchMedia(SYSTEM).matches ? 'dark' : 'light'
}

function subscribe(changed: () => void): () => void {
  const system = matchMedia(SYSTEM)
  system.addEventListener('change', changed)
  const chosen = new MutationObserver(changed)
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', changed)
    chosen.disconnect()
  }
}
