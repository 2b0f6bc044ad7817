/** An address, or a name that nobody can register: no page of another site has it. `host` may end in a port. */
export function isLocalName(host: string): boolean {
  const { hostname } = new URL(`http://${host}`)
  return /^(\[[\da-f:.]{2,45}\]|[\d.]{7,15}|[a-z\d-]{1,63}(\.(lan|local|home\.arpa|internal))?)$/.test(
    hostname,
  )
}
