import { lazy } from 'react'

import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { COPILOT_BUTTON } from './CopilotButton.tsx'
import { useCopilot } from './copilot-context.ts'

const CopilotPanel = lazy(async () => ({ default: (await import('./CopilotPanel.tsx')).CopilotPanel }))

/** Where the co-pilot stands. Its script comes when it is first opened, for the figures come first. */
export function CopilotSide() {
  const { isOpen } = useCopilot()
  if (!isOpen) return undefined
  return (
    <LoadedLater name="The co-pilot">
      <CopilotPanel giveFocusBack={() => document.querySelector<HTMLElement>(`#${COPILOT_BUTTON}`)?.focus()} />
    </LoadedLater>
  )
}
