import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readSession } from '#app/auth/session.ts'
import { localItems } from '#app/browser/storage.ts'
import { DecideCancellation } from '#app/orders/change/decide-cancellation.tsx'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useKeptRows } from '#app/ui/behaviour/kept-rows.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { formatCount } from '#shop/money.ts'
import type { PaymentTask } from '#shop/payments/task.ts'

const titles: Record<PaymentTask['kind'], string> = {
  'refund rejected': 'Refund rejected',
  'refunded twice': 'Refunded twice',
  'refund failed': 'Refund failed',
  'unsupported currency': 'Payment in another currency',
  dispute: 'Payment disputed',
  'cancellation requested': 'Cancellation requested',
  inquiry: 'Bank asks about a payment',
  'tax not recorded': 'Tax not recorded',
}

interface Props {
  tasks: PaymentTask[]
  keyProblem: string | null
}

/** One line that opens, by itself when something came since it was last open. */
export function PaymentTasks({ tasks, keyProblem }: Props) {
  const { rows, keep, isKept } = useKeptRows(tasks)
  const [isOpen, setIsOpen] = useState(() => hasNew(tasks))
  useEffect(() => {
    if (isOpen) rememberSeen(tasks)
  }, [isOpen, tasks])
  if (!keyProblem && rows.length === 0) return null
  return (
    <section
      aria-labelledby="payment-tasks"
      className="mb-5 rounded-box border border-warning px-4 py-2 print:hidden"
    >
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={`py-1 ${rows.length > 0 ? 'cursor-pointer' : 'list-none'}`}>
          <h2 id="payment-tasks" tabIndex={-1} className="mr-3 inline text-base outline-none">
            Needs your attention
          </h2>
          {rows.length > 0 && (
            <span className="text-sm">
              {`${formatCount(rows.length)} ${rows.length === 1 ? 'task' : 'tasks'}`}
              <span className="max-sm:sr-only">{`: ${listKinds(rows)}`}</span>
            </span>
          )}
        </summary>
        <ul className="mt-2 mb-1 grid gap-3 text-sm">
          {rows.map((task) => (
            <Task key={task._id} task={task} resolved={isKept(task._id)} onResolved={() => keep(task)} />
          ))}
        </ul>
      </details>
      {keyProblem && (
        <p
          role="alert"
          className="my-2"
        >{`${keyProblem} Until this is fixed, payments and refunds may fail and disputes may not be reported. Ask the person who runs the shop’s server to check the key.`}</p>
      )}
    </section>
  )
}

/** Such as `2 × Refund failed, Payment disputed`. */
function listKinds(tasks: PaymentTask[]) {
  const kinds = [...Map.groupBy(tasks, ({ kind }) => kind)]
  return kinds
    .map(([kind, { length }]) =>
      kinds.length > 1 && length > 1 ? `${formatCount(length)} × ${titles[kind]}` : titles[kind],
    )
    .join(', ')
}

/** Of the admin who is signed in: when the newest task came that they have seen. */
const seenKey = () => `seen tasks:${readSession()?.email}`

const newestOf = (tasks: PaymentTask[]) =>
  tasks
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1) ?? ''

function hasNew(tasks: PaymentTask[]) {
  return newestOf(tasks) > (localItems.read(seenKey()) ?? '')
}

function rememberSeen(tasks: PaymentTask[]) {
  if (hasNew(tasks)) localItems.keep(seenKey(), newestOf(tasks))
}

interface TaskProps {
  task: PaymentTask
  resolved: boolean
  onResolved: () => void
}

function Task({ task, resolved, onResolved }: TaskProps) {
  const { _id, kind, detail, purchase, number, parts, name, createdAt } = task
  const { busy, run } = useAction()
  const resolve = (refunded?: true) =>
    run('Marked as resolved', async () => {
      await adminClient.completePaymentTask({ params: { id: _id }, body: { refunded } })
      onResolved()
    })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 grow basis-80">
        <p className="font-medium">
          {`${titles[kind]}: `}
          <Link to={`/dashboard/orders/${purchase}`} className="link">{`#${number}, ${parts}`}</Link>
          {' for '}
          <Link to={`/dashboard/customers/${purchase}`} className="link">
            {name}
          </Link>
        </p>
        <p className="wrap-anywhere">{detail}</p>
        <p className="text-base-content/75">
          <DateTime at={createdAt} />
        </p>
      </div>
      {resolved ? (
        <p className="font-medium">Resolved</p>
      ) : kind === 'cancellation requested' ? (
        <DecideCancellation
          id={task.reference}
          contents={`items of order #${number}`}
          onDecided={onResolved}
        />
      ) : kind === 'refund rejected' ? (
        <ConfirmButton
          label="Mark as resolved"
          busy={busy}
          question="Have you refunded the customer another way?"
          details={
            <p className="mt-2">
              We keep trying this refund, and the task disappears once it’s made. When you mark it as
              resolved, we stop, and email the customer that you refunded them another way.
            </p>
          }
          action="Yes, stop trying"
          actionClassName="btn btn-primary"
          dismiss="Keep trying"
          onConfirm={() => resolve()}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          {kind === 'refund failed' && (
            <ConfirmButton
              label="Refunded another way"
              busy={busy}
              question="Have you refunded the customer another way?"
              details={
                <p className="mt-2">
                  The order counts it as refunded, and we email the customer. If you refunded it again here,
                  mark the task as resolved instead.
                </p>
              }
              action="Yes, count it as refunded"
              actionClassName="btn btn-primary"
              dismiss="Not yet"
              onConfirm={() => resolve(true)}
            />
          )}
          <ArmedButton className="btn btn-sm" busy={busy} onClick={() => resolve()}>
            Mark as resolved
          </ArmedButton>
        </div>
      )}
    </li>
  )
}
