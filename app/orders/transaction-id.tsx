/** Without a line break inside. */
export function TransactionId({ id }: { id: string }) {
  return <span className="font-mono text-xs whitespace-nowrap">{id}</span>
}
