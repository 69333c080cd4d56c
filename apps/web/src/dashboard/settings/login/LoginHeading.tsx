import type { ReactNode } from 'react'

/** What this step asks, and one sentence about it. */
export const LoginHeading = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="grid gap-1.5">
    <h1 id="login-title" className="text-20 font-semibold tracking-[-0.015em] wrap-anywhere">
      {title}
    </h1>
    {children !== undefined && <p className="text-13 text-ink-soft">{children}</p>}
  </div>
)
