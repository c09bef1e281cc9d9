import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain';
  readonly small?: boolean;
  readonly icon?: ReactNode;
  /** Without it the button is its icon alone, and `aria-label` names it. */
  readonly children?: ReactNode;
  readonly className?: string;
}

export function Button({ kind = 'plain', small, icon, children, className, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={`button${className === undefined ? '' : ` ${className}`}`}
      data-kind={kind}
      data-small={small || undefined}
      data-icon-only={children === undefined || undefined}
    >
      {icon}
      {children}
    </AriaButton>
  );
}
