import { ssoStart } from './sso-arrival.ts'

/** The way in by a sign-in provider, and what follows it. */
export const SsoLink = ({ name }: { readonly name: string }) => (
  <div className="grid gap-4">
    <a
      href={ssoStart(location.search)}
      className="inline-flex min-h-10 items-center justify-center rounded-control border border-line bg-surface px-4 py-2 text-center text-14 font-medium wrap-anywhere transition-colors hover:border-line-strong"
    >
      Continue with {name}
    </a>
    <p className="flex items-center gap-3 text-13 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or with a password
    </p>
  </div>
)
