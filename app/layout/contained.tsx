import { Component, type ReactNode } from 'react'

/** Around what stands on every page, where an error would leave React Router's page with a stack instead of ours. React has this as a class only. */
export class Contained extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? null : this.props.children
  }
}
