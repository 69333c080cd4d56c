import { LoginHeading } from './LoginHeading.tsx'

export type Outcome = {
  readonly kind: 'done' | 'denied' | 'failed'
  /** Undefined where the browser comes back from the machine itself: then the address tells, and it may say anything. */
  readonly machine: string | undefined
}

/** How it ended, and where to go on. */
export const LoginResult = ({ outcome: { kind, machine = 'Your terminal' } }: { readonly outcome: Outcome }) => (
  <LoginHeading title={TITLES[kind]}>{WORDS[kind](machine)}</LoginHeading>
)

const TITLES = { done: 'Allowed', denied: 'Denied', failed: 'Sign-in failed' } satisfies Record<Outcome['kind'], string>

const WORDS = {
  done: (machine) => `${machine} can now use Septet as you. You can close this page.`,
  denied: (machine) => `${machine} did not get access. You can close this page.`,
  failed: () => 'Your terminal shows what went wrong. Run septet login again.',
} satisfies Record<Outcome['kind'], (machine: string) => string>
