import { Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  Select as AriaSelect,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  TextArea,
  type TextFieldProps,
} from 'react-aria-components';
import { fromMinor, readAmount, toMinor } from '../words/money.ts';
import { useWords } from '../words/words.tsx';

interface FieldProps extends Omit<TextFieldProps, 'className' | 'children'> {
  readonly className?: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly placeholder?: string;
  /** Many lines. */
  readonly long?: boolean;
  /** What is wrong with what was entered, in words. */
  readonly fault?: string | undefined;
}

export function Field({ label, help, placeholder = '', long, fault, className = 'field', ...rest }: FieldProps) {
  return (
    <AriaTextField {...rest} {...(fault !== undefined && { isInvalid: true })} className={className}>
      <Label>{label}</Label>
      {long ? <TextArea placeholder={placeholder} spellCheck={false} /> : <Input placeholder={placeholder} />}
      {help !== undefined && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <Fault fault={fault} />
    </AriaTextField>
  );
}

/** What is wrong with a field: in our words, or else in the browser's, which are in its own language. */
function Fault({ fault }: { readonly fault: string | undefined }) {
  return (
    <FieldError className="field-error">{fault ?? (({ validationErrors }) => validationErrors.join(' '))}</FieldError>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly currency: string;
  /** As people write it: 12.5, not 1250. NaN where nothing is entered. */
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly help?: ReactNode;
  readonly autoFocus?: boolean;
}

/**
 * An amount, typed as the reader's language writes it, with no more decimals than its currency has. It is no `NumberField`:
 * what that tells a screen reader is emptied by setting `innerHTML`, which the portal's content security policy forbids.
 */
export function AmountField(props: AmountFieldProps) {
  const { label, currency, help, minValue, maxValue, value, onChange, ...rest } = props;
  const { t, money, written } = useWords();
  const [text, setText] = useState(() => (Number.isNaN(value) ? '' : written(toMinor(value, currency), currency)));
  const minor = readAmount(text, currency);
  const most = maxValue === undefined ? Number.POSITIVE_INFINITY : toMinor(maxValue, currency);
  const least = minValue === undefined ? 1 : toMinor(minValue, currency);
  const wrong = () => {
    if (text === '') return undefined;
    if (minor === undefined) return t('wrongAmount', { currency });
    if (minor > most) return t('atMost', { amount: money(most, currency) });
    return minor < least ? t('atLeast', { amount: money(least, currency) }) : undefined;
  };
  const fault = wrong();
  const change = (next: string) => {
    setText(next);
    const read = readAmount(next, currency);
    onChange(read === undefined ? Number.NaN : fromMinor(read, currency));
  };
  return (
    <AriaTextField
      {...rest}
      className="field"
      inputMode="decimal"
      autoComplete="off"
      isRequired
      isInvalid={fault !== undefined}
      value={text}
      onChange={change}
      onBlur={() => minor !== undefined && setText(written(minor, currency))}
    >
      <Label>{`${label} (${currency})`}</Label>
      <Input />
      {help !== undefined && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <Fault fault={fault} />
    </AriaTextField>
  );
}

export interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

interface SelectFieldProps<Id extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Id>[];
  readonly value: Id;
  readonly onChange: (value: Id) => void;
  readonly help?: ReactNode;
}

export function SelectField<Id extends string>({ label, choices, value, onChange, help }: SelectFieldProps<Id>) {
  return (
    <AriaSelect className="field" value={value} onChange={(key) => onChange(key as Id)}>
      <Label className="label">{label}</Label>
      <AriaButton className="select-button">
        <SelectValue />
        <ChevronDown size={16} aria-hidden />
      </AriaButton>
      {help !== undefined && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="listbox" items={choices}>
          {(choice) => (
            <ListBoxItem className="menu-item" textValue={choice.label}>
              {({ isSelected }) => (
                <>
                  <span>{choice.label}</span>
                  {isSelected && <Check size={15} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

interface CheckboxProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

export function Checkbox({ children, isSelected, onChange }: CheckboxProps) {
  return (
    <AriaCheckbox className="checkbox" isSelected={isSelected} onChange={onChange}>
      <span className="box" aria-hidden>
        <Check size={14} strokeWidth={3} />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

/** Checkboxes for several of a list. */
export function CheckboxList(props: {
  readonly label: string;
  readonly choices: readonly Choice<string>[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const { label, choices, values, onChange } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in all browsers.
    <div className="field" role="group" aria-label={label}>
      <span className="label" aria-hidden>
        {label}
      </span>
      <div className="checkbox-grid">
        {choices.map(({ id, label: name }) => (
          <Checkbox
            key={id}
            isSelected={values.includes(id)}
            onChange={(on) => onChange(on ? [...values, id] : values.filter((value) => value !== id))}
          >
            {name}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}
