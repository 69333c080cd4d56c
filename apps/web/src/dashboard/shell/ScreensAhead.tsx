import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

import { fetchScreens } from '../screens.tsx'

/** As long without a question as it takes to know that the screen has all its answers. */
const QUIET_MS = 500
let isDone = false

/** Once the open screen has its answers, fetches the scripts of the others; not for somebody who saves data. */
export function ScreensAhead() {
  const isAsking = useIsFetching() > 0
  useEffect(() => {
    if (isAsking || isDone || savesData()) return undefined
    const timer = setTimeout(() => {
      isDone = true
      void fetchScreens()
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [isAsking])
  return null
}

const savesData = (): boolean => {
  const { connection }: { connection?: { readonly saveData?: boolean } } = Object(navigator)
  return connection?.saveData === true
}
