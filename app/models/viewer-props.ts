export interface ViewerProps {
  model: { hash: string; size: number }
  name: string
  onClose: () => void
}
