// A separate module: pages import these without the client.
export const unreachableMessage = 'We can’t reach the shop. Check your connection and try again.'
export const timeoutMessage = 'The shop isn’t responding. Try again.'
