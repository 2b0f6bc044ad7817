// A separate module: pages import these without the client.
export const unreachableMessage = 'We can’t reach the shop. Check your connection and try again.'
export const timeoutMessage = 'The shop isn’t responding. Try again.'

/** For a response without a message: not the shop’s, but that of a proxy in front of it. */
export function describeStatus(status: number): string {
  if (status === 413)
    return 'The server in front of the shop doesn’t accept a file of this size. Choose a smaller one, or raise the server’s limit.'
  return [502, 503, 504].includes(status) ? timeoutMessage : 'Something went wrong. Try again.'
}
