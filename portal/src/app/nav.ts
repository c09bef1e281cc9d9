import {
  Activity,
  BookOpen,
  ChartColumn,
  CheckCheck,
  CreditCard,
  Gift,
  House,
  KeyRound,
  Landmark,
  type LucideIcon,
  ScrollText,
  Settings2,
  ShoppingBag,
  SlidersHorizontal,
  UserSearch,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { OperationId } from '../api/endpoints.types.ts';
import type { WordKey } from '../words/words.tsx';

/** A screen of the menu. */
export interface Place {
  readonly to: string;
  readonly title: WordKey;
  readonly icon: LucideIcon;
  /** The operation that the screen begins with: a user who may not call it does not see the entry. */
  readonly needs: OperationId;
  /** The letter that follows `g` to go there. */
  readonly letter: string;
}

/** The menu, in groups. The palette and the keyboard read the same list. */
export const MENU: readonly { readonly title: WordKey | undefined; readonly places: readonly Place[] }[] = [
  {
    title: undefined,
    places: [
      { to: '/', title: 'home', icon: House, needs: 'getStatistics', letter: 'h' },
      { to: '/payments', title: 'payments', icon: CreditCard, needs: 'searchPayments', letter: 'p' },
      { to: '/orders', title: 'orders', icon: ShoppingBag, needs: 'searchOrders', letter: 'r' },
      { to: '/tokens', title: 'payerTokens', icon: WalletCards, needs: 'searchPayers', letter: 't' },
      { to: '/gift-cards', title: 'giftCards', icon: Gift, needs: 'searchGiftCards', letter: 'c' },
      { to: '/settlements', title: 'settlements', icon: Landmark, needs: 'listDisputes', letter: 's' },
      { to: '/reports', title: 'reports', icon: ChartColumn, needs: 'getSales', letter: 'f' },
      { to: '/ledger', title: 'ledger', icon: BookOpen, needs: 'listMovements', letter: 'l' },
    ],
  },
  {
    title: 'developers',
    places: [
      { to: '/credentials', title: 'credentials', icon: KeyRound, needs: 'listAccessTokens', letter: 'k' },
      { to: '/calls', title: 'apiLog', icon: ScrollText, needs: 'listCalls', letter: 'a' },
      { to: '/webhooks', title: 'webhooks', icon: Webhook, needs: 'getWebhookRates', letter: 'w' },
    ],
  },
  {
    title: 'organisation',
    places: [
      { to: '/approvals', title: 'approvals', icon: CheckCheck, needs: 'listPendingChanges', letter: 'b' },
      { to: '/activity', title: 'activity', icon: Activity, needs: 'listActivity', letter: 'y' },
      {
        to: '/order-settings',
        title: 'orderSettings',
        icon: SlidersHorizontal,
        needs: 'getOrderSettings',
        letter: 'e',
      },
      { to: '/people', title: 'people', icon: Users, needs: 'listUsers', letter: 'u' },
      { to: '/persons', title: 'personalData', icon: UserSearch, needs: 'findPerson', letter: 'd' },
      { to: '/operator', title: 'operators', icon: Settings2, needs: 'listPayees', letter: 'o' },
    ],
  },
];
