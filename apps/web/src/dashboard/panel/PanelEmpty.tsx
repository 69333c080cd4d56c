/** A panel with nothing to show, and why that is. */
export const PanelEmpty = ({ children }: { readonly children: string }) => (
  <p className="py-4 text-13 text-ink-soft">{children}</p>
)
