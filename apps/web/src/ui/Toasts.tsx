import { toast, Toaster } from 'sonner'

/** Two corners for messages that go by themselves: ordinary ones for 4 s, critical ones for 5 s; at most three at a time. */
export function Toasts() {
  return (
    <>
      <Toaster {...SHARED} duration={4000} position="bottom-right" containerAriaLabel="Messages" />
      <Toaster
        {...SHARED}
        id={CRITICAL}
        duration={5000}
        position="top-center"
        containerAriaLabel="Important messages"
      />
    </>
  )
}

export type ToastMessage = {
  readonly title: string
  readonly description: string
  /** `destructive` goes to the corner for critical messages. */
  readonly tone: 'good' | 'plain' | 'destructive'
}

/** Says something for a few seconds. What must not be missed is said on the page as well. */
export function showToast({ title, description, tone }: ToastMessage): void {
  toast(title, {
    description,
    ...(tone === 'destructive' ? { toasterId: CRITICAL } : {}),
    classNames: { toast: `${TOAST} ${EDGE[tone]}`, title: `font-medium ${TITLE[tone]}` },
  })
}

const CRITICAL = 'critical'

const TOAST = 'floats flex w-full items-start gap-3 rounded-card border px-4 py-3 font-sans text-13 sm:w-89'
const EDGE = {
  good: 'border-line border-l-3 border-l-busy bg-raised',
  plain: 'border-line bg-raised',
  destructive: 'border-fault bg-fault-soft',
} satisfies Record<ToastMessage['tone'], string>
const TITLE = { good: 'text-ink', plain: 'text-ink', destructive: 'text-fault-ink' } satisfies typeof EDGE

const SHARED = {
  visibleToasts: 3,
  theme: 'system',
  toastOptions: { unstyled: true, classNames: { description: 'mt-0.5 text-ink-soft' } },
} as const
