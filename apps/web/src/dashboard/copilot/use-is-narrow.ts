import { useSyncExternalStore } from 'react'

/** Below this there is no room beside a screen. */
const NARROW = '(max-width: 899.9px)'

export const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => matchMedia(NARROW).matches)

function listen(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
