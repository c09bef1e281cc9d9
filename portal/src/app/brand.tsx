import icon from './icon.svg';

export function Brand({ name, note }: { readonly name: string; readonly note: string }) {
  return (
    <div className="brand">
      <img src={icon} alt="" className="brand-mark" />
      <span>
        <strong>{name}</strong>
        <small>{note}</small>
      </span>
    </div>
  );
}
