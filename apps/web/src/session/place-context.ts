import { createContext, useContext } from 'react'

import type { PageBase } from './page-base.ts'

/** Where this page of the dashboard is: one's own, or the demo. */
export const PlaceContext = createContext<PageBase>({ path: '/dashboard', demo: false })

export const usePlace = (): PageBase => useContext(PlaceContext)
