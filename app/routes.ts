import { index, type RouteConfig, route } from '@react-router/dev/routes'

// biome-ignore format: a table
export default [
  index(                                       'content/home.tsx'),
  route('home',                                'content/home.tsx', { id: 'home' }),
  route('parts',                               'catalogue/catalogue.tsx'),
  route('parts/:partId',                       'catalogue/part-page.tsx'),
  route('part/:partId',                        'catalogue/purchase.tsx'),
  route('basket',                              'basket/basket-page.tsx'),
  route('quick-order',                         'basket/quick-order.tsx'),
  route('reviews',                             'content/all-reviews.tsx'),
  route('blogs',                               'content/blogs.tsx'),
  route('portfolio',                           'content/portfolio.tsx'),
  route('terms',                               'content/terms.tsx'),
  route('privacy',                             'content/privacy.tsx'),
  route('returns',                             'content/returns.tsx'),
  route('outbox',                              'content/outbox.tsx'),
  route('login',                               'account/login.tsx'),
  route('registration',                        'account/registration.tsx'),
  route('reset-password',                      'account/reset-password.tsx'),
  route('confirm-email',                       'account/confirm-email.tsx'),

  route('dashboard',                           'dashboard/dashboard.tsx', [
    index(                                     'dashboard/dashboard-index.tsx'),
    route('myOrders',                          'orders/my-orders.tsx'),
    route('orders/:id',                        'orders/order-page.tsx'),
    route('orders/:id/receipt',                'orders/receipt.tsx'),
    route('payment/:id',                       'payment/payment-page.tsx'),
    route('addReview',                         'account/add-review.tsx'),
    route('myProfile',                         'account/my-profile.tsx'),
    route('addProduct',                        'admin/add-product.tsx'),
    route('manageProducts',                    'admin/manage-products.tsx'),
    route('manageProducts/:partId',            'admin/edit-product.tsx'),
    route('manageAllOrders',                   'admin/manage-orders.tsx'),
    route('messages',                          'admin/messages.tsx'),
  ]),

  route('api/docs',                            'content/api-docs.tsx'),
  route('sitemap.xml',                         'content/sitemap.ts'),
  route('robots.txt',                          'content/robots.ts'),
  route('*',                                   'content/not-found.tsx'),
] satisfies RouteConfig
