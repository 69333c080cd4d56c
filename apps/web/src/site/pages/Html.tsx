/** What `renderMarkdown` made of our own files. */
export function Html({ html, className }: { readonly html: string; readonly className?: string }) {
  return (
    <div
      className={className}
      // oxlint-disable-next-line react/no-danger -- made from our own files by `renderMarkdown`, which escapes HTML in them
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
