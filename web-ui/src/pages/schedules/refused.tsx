export const Refused = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
