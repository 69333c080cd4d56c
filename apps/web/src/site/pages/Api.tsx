/** The frame of the page about the API. The server fills it, from the operations that it answers itself. */
export function Api() {
  return (
    <div className="mx-auto max-w-7xl px-6 pt-16 pb-24">
      <h1 className="text-28 font-semibold tracking-[-0.02em] md:text-40">API</h1>
      <div data-filled-by="server" />
    </div>
  )
}
