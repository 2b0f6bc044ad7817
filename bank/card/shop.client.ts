// All that the bank's card form takes of the shop.
export {
  type BrowserPayments,
  type CardFormProps,
  type PaymentState,
  paymentStateOf,
} from '../../providers/payments/payment-state.client.ts'
