import { Link } from 'react-router'
import { client } from '#app/client.ts'
import { DateTime } from '#app/ui/date.tsx'
import { useAction } from '#app/ui/use-action.ts'
import type { PaymentTask } from '#shop/payments/task.ts'

const titles: Record<PaymentTask['kind'], string> = {
  'refund refused': 'Refund refused',
  'refund failed': 'Refund failed',
  'unknown currency': 'Payment in another currency',
  dispute: 'Payment disputed',
}

interface Props {
  tasks: PaymentTask[]
  keyProblem: string | null
}

export function PaymentTasks({ tasks, keyProblem }: Props) {
  if (!keyProblem && tasks.length === 0) return null
  return (
    <section aria-labelledby="payment-tasks" className="mb-8 rounded-box border border-warning p-4">
      <h2 id="payment-tasks" className="text-lg">
        Needs your attention
      </h2>
      {keyProblem && (
        <p
          role="alert"
          className="mt-3"
        >{`Nobody can pay: the card provider refuses requests. ${keyProblem}`}</p>
      )}
      <ul className="mt-3 grid gap-4">
        {tasks.map((task) => (
          <Task key={task._id} task={task} />
        ))}
      </ul>
    </section>
  )
}

function Task({
  task: { _id, kind, detail, purchase, number, parts, name, createdAt },
}: {
  task: PaymentTask
}) {
  const { busy, run } = useAction()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 grow basis-80">
        <p className="font-medium">
          {`${titles[kind]}: `}
          <Link
            to={`/dashboard/orders/${purchase}`}
            className="link"
          >{`#${number}, ${parts} for ${name}`}</Link>
        </p>
        <p className="wrap-anywhere">{detail}</p>
        <p className="text-sm text-base-content/75">
          <DateTime at={createdAt} />
        </p>
      </div>
      <button
        type="button"
        className="btn btn-sm"
        aria-disabled={busy}
        onClick={() => run('Marked as resolved', () => client.completePaymentTask({ params: { id: _id } }))}
      >
        Mark as resolved
      </button>
    </li>
  )
}
