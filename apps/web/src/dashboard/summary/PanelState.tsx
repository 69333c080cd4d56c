import { Button } from '../../ui/Button.tsx'
import { failureWords } from '../failure-words.ts'

/** A panel whose question failed: what failed and what to do, while the rest of the page goes on. */
export function PanelError({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-2 py-4 text-13 text-ink-soft">
      <p>{failureWords(error)}</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  )
}

/** A panel with nothing to show, and why that is. */
export const PanelEmpty = ({ children }: { readonly children: string }) => (
  <p className="py-4 text-13 text-ink-soft">{children}</p>
)
