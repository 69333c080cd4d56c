import type { ToastMessage } from '../ui/Toasts.tsx'

/**
 * What the toast said, for as long as it matters. The toast announces it, so this is no live region: it would be read
 * out twice.
 */
export const Said = ({ message }: { readonly message: ToastMessage | undefined }) =>
  message === undefined ? null : (
    <div
      data-testid="said"
      className={`enters rounded-control px-3 py-2 text-13 ${message.tone === 'good' ? 'bg-busy-soft' : 'bg-fault-soft'}`}
    >
      <span className="font-medium">{message.title}:</span> {message.description}
    </div>
  )
