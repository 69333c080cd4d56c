import { Component, Suspense, type ReactNode } from 'react'

import { Button } from './Button.tsx'

type Props = {
  /** What part it is, as the beginning of a sentence. */
  readonly name: string
  readonly children: ReactNode
  readonly fallback?: ReactNode
}

/**
 * A part of the page whose script comes when it is needed. Without a connection, or when the server was updated since
 * the page was loaded, it does not come: then this part says so, and the rest of the page stays.
 */
export class LoadedLater extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { name, children, fallback } = this.props
    if (!this.state.failed) return <Suspense fallback={fallback}>{children}</Suspense>
    return (
      <div role="alert" className="grid justify-items-start gap-2 py-4 text-13 text-ink-soft">
        <p>
          {name} could not be loaded. Check your connection and that Septet runs, then load the page again. After an
          update of Septet that is needed once.
        </p>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </div>
    )
  }
}
