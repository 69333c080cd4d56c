import { Button } from '../../ui/Button.tsx'
import { AskIcon } from '../../ui/dashboard-icons.tsx'
import { useCopilot } from './copilot-context.ts'

/** The button's id: focus comes back to it when the panel closes. */
export const COPILOT_BUTTON = 'open-copilot'

/** Opens and closes the co-pilot. */
export function CopilotButton() {
  const { isOpen, setOpen } = useCopilot()
  return (
    <Button
      id={COPILOT_BUTTON}
      look="quiet"
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
      title="Ask the co-pilot"
      className="min-h-8 max-[1400px]:size-8 max-[1400px]:px-0 aria-expanded:bg-sunken aria-expanded:text-ink"
    >
      <AskIcon />
      <span className="max-[1400px]:sr-only">Ask</span>
    </Button>
  )
}
