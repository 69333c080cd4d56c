/** Any path that leads nowhere. The words are the specification's; `public/not-found.js` logs the path. */
export function NotFound() {
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-3xl flex-col justify-center gap-4 px-6 py-24">
      <h1 className="font-mono text-64 font-medium tracking-tight">404</h1>
      <p className="text-20">Oops! Page not found</p>
      <a href="/" className="self-start text-16 font-medium text-accent-ink underline underline-offset-4">
        Return to Home
      </a>
    </div>
  )
}
