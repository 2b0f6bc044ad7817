// All that the bank's card form takes of the shop.
export {
  type BrowserPayments,
  type CardFormProps,
  describePaymentState as paymentStateOf,
  type PaymentState,
} from '../../providers/payments/payment-state.client.ts'
