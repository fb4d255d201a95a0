import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { area } from '../words/index.ts';
import { Icon } from './icon.tsx';
import { type WhenKind, whenForms, whenWritten } from './when-text.ts';

const said = area(
  {
    pick: { date: 'Pick a date', month: 'Pick a month', time: 'Pick a time', 'datetime-local': 'Pick a date and time' },
    wrong: (form: string) => `Use the format ${form}`,
  },
  {
    pick: { date: '选择日期', month: '选择月份', time: '选择时间', 'datetime-local': '选择日期和时间' },
    wrong: form => `请按 ${form} 的格式填写`,
  },
);

type AriaOf = 'aria-label' | 'aria-describedby' | 'aria-invalid';
type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'name' | 'value' | 'defaultValue' | 'required' | 'disabled' | 'min' | 'max' | 'onChange' | 'onInput' | AriaOf
>;
type Handler = Attributes['onChange'];

/**
 * A day, month or time as all lists of the pages write it, typed or picked: the browser's own field
 * follows the language of the browser, not that of the page. `onChange` hears only of what is one,
 * or of an empty field.
 */
export function WhenInput({ kind, value, onChange, ...input }: { kind: WhenKind } & Attributes) {
  const field = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  // Half a date stays as it is while the page is drawn again.
  useEffect(() => {
    if (value !== undefined) field.current!.value = String(value);
  }, [value]);
  const settle: NonNullable<Handler> = event => {
    const { currentTarget: typed } = event;
    const written = typed.value.trim() === '' ? '' : whenWritten(kind, typed.value);
    typed.setCustomValidity(written === null ? said.value.wrong(whenForms[kind]) : '');
    if (written === null) return;
    typed.value = written;
    onChange?.(event);
  };
  const pick = () => {
    const { value: now } = field.current!;
    picker.current!.value = now.replace(' ', 'T');
    picker.current!.showPicker();
  };
  return (
    <span class="when">
      <input
        {...input}
        ref={field}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={whenForms[kind]}
        size={whenForms[kind].length}
        defaultValue={input.defaultValue ?? (value as string | undefined)}
        onChange={settle}
        onInput={event => {
          input.onInput?.(event);
          if (event.currentTarget.value.length >= whenForms[kind].length) settle(event);
        }}
      />
      <button type="button" aria-label={said.value.pick[kind]} disabled={input.disabled} onClick={pick}>
        <Icon name="calendar" />
      </button>
      <input
        ref={picker}
        type={kind}
        min={input.min}
        max={input.max}
        tabIndex={-1}
        aria-hidden="true"
        onInput={({ currentTarget }) => {
          field.current!.value = currentTarget.value.replace('T', ' ');
          field.current!.dispatchEvent(new Event('change', { bubbles: true }));
        }}
      />
    </span>
  );
}
